//! What holds for every plan on every machine.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rt::cpu_plan::{Assignment, CpuPlan, ProcessWish, Topology};
use rt::machine::CpuList;

/// Up to 12 cores with one or two threads, numbered side by side (0,1 2,3) or in two rounds (0,4
/// 1,5).
fn topologies() -> impl Strategy<Value = Topology> {
    let isolated = prop::collection::vec(any::<bool>(), 24);
    let allowed = prop::collection::vec(prop::bool::weighted(0.8), 24);
    (1_usize..=12, any::<bool>(), any::<bool>(), isolated, allowed).prop_map(
        |(cores, smt, side_by_side, isolated, allowed)| {
            let cpus = if smt { 2 * cores } else { cores };
            let core_of = |cpu: usize| if smt && side_by_side { cpu / 2 } else { cpu % cores };
            let siblings: BTreeMap<usize, CpuList> = (0..cpus)
                .map(|cpu| (cpu, (0..cpus).filter(|&other| core_of(other) == core_of(cpu)).collect()))
                .collect();
            let chosen = |flags: &[bool]| (0..cpus).filter(|&cpu| flags[cpu]).collect::<CpuList>();
            let mut allowed = chosen(&allowed);
            allowed.insert(cpus - 1);
            Topology { online: (0..cpus).collect(), allowed, isolated: chosen(&isolated), siblings }
        },
    )
}

/// Up to six processes; `None` for a CPU in most cases, otherwise a position among the usable ones.
fn wishes() -> impl Strategy<Value = Vec<(u8, Option<usize>, Option<usize>)>> {
    let wish = (1_u8..99, prop::option::weighted(0.2, 0_usize..24), prop::option::weighted(0.4, 0_usize..6));
    prop::collection::vec(wish, 0..6)
}

fn build(topology: &Topology, raw: &[(u8, Option<usize>, Option<usize>)]) -> Vec<ProcessWish> {
    let usable: Vec<usize> = topology.usable().iter().collect();
    let build = |(index, (priority, cpu, partner)): (usize, &(u8, Option<usize>, Option<usize>))| {
        let wish = ProcessWish::new(format!("p{index}"), *priority);
        let wish = wish.on_cpu(cpu.map(|position| usable[position % usable.len()]));
        partner.iter().fold(wish, |wish, partner| wish.in_lock_step_with(format!("p{partner}")))
    };
    raw.iter().enumerate().map(build).collect()
}

/// Whether another CPU, as isolated as this one, on an unused core, was left over.
fn better_core_was_free(topology: &Topology, plan: &CpuPlan, place: &Assignment) -> bool {
    let used: CpuList = plan.cpus().union(&CpuList::from_iter([plan.system_cpu()]));
    let is_better = |cpu: usize| {
        let fresh = used.iter().all(|other| !topology.share_core(cpu, other));
        fresh && (topology.isolated.contains(cpu) || !place.isolated)
    };
    topology.usable().iter().any(is_better)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_plan_keeps_the_rules(topology in topologies(), raw in wishes()) {
        let wishes = build(&topology, &raw);
        let plan = CpuPlan::make(&topology, &wishes).unwrap();
        prop_assert_eq!(&CpuPlan::make(&topology, &wishes).unwrap(), &plan, "the same machine, the same plan");
        prop_assert_eq!(plan.assignments().len(), wishes.len());
        prop_assert!(topology.usable().contains(plan.system_cpu()));

        for (wish, place) in wishes.iter().zip(plan.assignments()) {
            prop_assert!(topology.usable().contains(place.cpu), "{} got CPU {}", place.name, place.cpu);
            prop_assert!(wish.cpu.is_none_or(|cpu| cpu == place.cpu), "wish of {} not granted", place.name);
            prop_assert_eq!(place.isolated, topology.isolated.contains(place.cpu));
            let others: Vec<&str> = plan.assignments().iter()
                .filter(|other| other.cpu == place.cpu && other.name != place.name)
                .map(|other| other.name.as_str()).collect();
            prop_assert_eq!(&place.shares_with, &others);
            prop_assert_eq!(place.dedicated, others.is_empty() && place.cpu != plan.system_cpu());
        }
    }

    #[test]
    fn spinners_have_their_cpu_and_where_it_can_be_their_core(topology in topologies(), raw in wishes()) {
        let wishes = build(&topology, &raw);
        let plan = CpuPlan::make(&topology, &wishes).unwrap();
        let system_is_used = plan.assignments().iter().any(|place| place.cpu == plan.system_cpu());
        let spinners: Vec<&Assignment> = plan.assignments().iter().filter(|place| place.may_spin).collect();
        for (position, one) in spinners.iter().enumerate() {
            prop_assert!(one.dedicated && one.shares_with.is_empty() && one.cpu != plan.system_cpu());
            prop_assert!(one.isolated || !system_is_used, "{plan}");
            for other in &spinners[..position] {
                prop_assert_ne!(one.cpu, other.cpu);
                let wished = |place: &Assignment| wishes.iter().any(|w| w.name == place.name && w.cpu.is_some());
                if topology.share_core(one.cpu, other.cpu) && !(wished(one) && wished(other)) {
                    let mover = if wished(one) { other } else { one };
                    prop_assert!(!better_core_was_free(&topology, &plan, mover), "{plan}");
                }
            }
        }
    }

    #[test]
    fn no_two_share_while_cpus_are_free(topology in topologies(), raw in wishes()) {
        let wishes: Vec<ProcessWish> =
            build(&topology, &raw).into_iter().map(|wish| wish.on_cpu(None)).collect();
        let plan = CpuPlan::make(&topology, &wishes).unwrap();
        let enough = wishes.len() < topology.usable().len();
        prop_assert_eq!(plan.all_dedicated(), enough || wishes.is_empty(), "{}", plan);
        let system_only = CpuList::from_iter([plan.system_cpu()]);
        if !enough && topology.usable() == system_only {
            prop_assert!(plan.assignments().iter().all(|place| !place.may_spin));
        }
    }
}
