//! Plans for synthetic machines, from one CPU to eight.

use std::collections::BTreeMap;

use super::*;

/// `cores` lists the threads of each core, as in `"0,4 1,5"`.
fn topology(cores: &str, isolated: &str, allowed: &str) -> Topology {
    let cores: Vec<CpuList> = cores.split(' ').map(|core| core.parse().unwrap()).collect();
    let of_core = |core: &CpuList| core.iter().map(|cpu| (cpu, core.clone())).collect::<Vec<_>>();
    let siblings: BTreeMap<usize, CpuList> = cores.iter().flat_map(of_core).collect();
    Topology {
        online: siblings.keys().copied().collect(),
        allowed: allowed.parse().unwrap(),
        isolated: isolated.parse().unwrap(),
        siblings,
    }
}

fn wishes() -> Vec<ProcessWish> {
    vec![
        ProcessWish::new("daq", 85),
        ProcessWish::new("dynamics", 80),
        ProcessWish::new("subsystem", 80).in_lock_step_with("dynamics"),
    ]
}

/// `daq`, `dynamics`, `subsystem` in a line such as `0s 1+ 2+`: `+` may spin, `d` dedicated without
/// spinning, `s` with the system, `p` with another process.
fn plan(cores: &str, isolated: &str, allowed: &str) -> String {
    summary(&CpuPlan::make(&topology(cores, isolated, allowed), &wishes()).unwrap())
}

fn summary(plan: &CpuPlan) -> String {
    let mark = |place: &Assignment| match place {
        Assignment { may_spin: true, .. } => "+",
        Assignment { dedicated: true, .. } => "d",
        Assignment { shares_with_system: true, .. } => "s",
        _ => "p",
    };
    let places: Vec<String> = plan.assignments().iter().map(|place| format!("{}{}", place.cpu, mark(place))).collect();
    places.join(" ")
}

#[test]
fn one_cpu_is_shared_by_all_and_nothing_spins() {
    let plan = CpuPlan::make(&topology("0", "", "0"), &wishes()).unwrap();
    assert_eq!(summary(&plan), "0s 0s 0s");
    assert_eq!(plan.get("daq").unwrap().shares_with, ["dynamics", "subsystem"]);
    assert!(!plan.lock_step_may_spin("dynamics", "subsystem"));
    assert!(plan.real_time_cpus().is_empty());
}

/// Cores, isolated and allowed CPUs, and the plan.
#[test]
fn the_three_processes_are_placed_by_the_rules() {
    for (cores, isolated, allowed, expected) in [
        // The lock-step pair shares the CPU that is not the system's.
        ("0 1", "", "0-1", "0s 1p 1p"),
        ("0 1", "1", "0-1", "0s 1p 1p"),
        // Two threads of one core are no better than two CPUs, and no worse.
        ("0,1", "", "0-1", "0s 1p 1p"),
        // On three the pair shares and the system keeps its own, unless the pair can spin on
        // isolated ones.
        ("0 1 2", "", "0-2", "2+ 1p 1p"),
        ("0 1 2", "2", "0-2", "1+ 2p 2p"),
        ("0 1 2 3", "2-3", "0-3", "1+ 2+ 3+"),
        // Each process has a core.
        ("0,4 1,5 2,6 3,7", "", "0-7", "3+ 1+ 2+"),
        ("0,1 2,3 4,5 6,7", "", "0-7", "6+ 2+ 4+"),
        // Isolated CPUs come first, wherever they are.
        ("0 1 2 3 4 5 6 7", "3,6-7", "0-7", "7+ 3+ 6+"),
        ("0 1 2 3", "0-2", "0-3", "2+ 0+ 1+"),
        ("0 1 2 3 4 5 6 7", "6", "0-7", "2+ 6+ 1+"),
        // Isolated siblings are used only after isolated cores.
        ("0,4 1,5 2,6 3,7", "2-3,6-7", "0-7", "6+ 2+ 3+"),
        // A cpuset bounds the plan.
        ("0 1 2 3 4 5 6 7", "6-7", "2-5", "5+ 3+ 4+"),
        ("0 1 2 3 4 5 6 7", "6-7", "4-5", "4s 5p 5p"),
        // Only isolated CPUs are allowed: one of them must do the work of the rest.
        ("0 1 2 3", "2-3", "2-3", "2s 3p 3p"),
        ("0 1 2 3", "2-3", "3", "3s 3s 3s"),
    ] {
        assert_eq!(plan(cores, isolated, allowed), expected, "cores {cores}, {isolated} isolated, {allowed} allowed");
    }
}

#[test]
fn on_two_cpus_without_a_pair_the_most_important_has_its_own() {
    let wishes = [ProcessWish::new("a", 10), ProcessWish::new("b", 30), ProcessWish::new("c", 20)];
    let plan = CpuPlan::make(&topology("0 1", "", "0-1"), &wishes).unwrap();
    assert_eq!(summary(&plan), "0s 1d 0s");
    assert!(plan.assignments().iter().all(|place| !place.may_spin), "the system has no CPU to itself");
}

#[test]
fn on_three_cpus_with_two_isolated_the_pair_spins_there() {
    let plan = CpuPlan::make(&topology("0 1 2", "1-2", "0-2"), &wishes()).unwrap();
    assert_eq!(summary(&plan), "0s 1+ 2+");
    assert!(plan.lock_step_may_spin("dynamics", "subsystem"));
    assert!(!plan.lock_step_may_spin("dynamics", "daq"));
}

#[test]
fn without_pairs_the_higher_priority_chooses_first_and_the_earlier_among_equals() {
    let wishes = [("a", 10), ("b", 30), ("c", 10), ("d", 20)];
    let wishes = wishes.map(|(name, priority)| ProcessWish::new(name, priority));
    let plan = CpuPlan::make(&topology("0 1 2 3 4 5", "5", "0-5"), &wishes).unwrap();
    assert_eq!(summary(&plan), "2+ 5+ 3+ 1+");
}

#[test]
fn on_four_cpus_everyone_has_one_and_cpu_0_stays_with_the_system() {
    let plan = CpuPlan::make(&topology("0 1 2 3", "", "0-3"), &wishes()).unwrap();
    assert_eq!(summary(&plan), "3+ 1+ 2+");
    assert_eq!((plan.system_cpu(), plan.all_dedicated()), (0, true));
}

#[test]
fn processes_on_isolated_siblings_are_named() {
    let plan = CpuPlan::make(&topology("0,4 1,5 2,6 3,7", "2-3,6-7", "0-7"), &wishes()).unwrap();
    assert_eq!(plan.get("daq").unwrap().shares_core_with, ["dynamics"]);
    assert_eq!(plan.get("subsystem").unwrap().shares_core_with, Vec::<String>::new());
}

#[test]
fn the_core_of_the_system_is_avoided_too() {
    let wish = [ProcessWish::new("dynamics", 80)];
    let plan = CpuPlan::make(&topology("0,1 2,3", "", "0-3"), &wish).unwrap();
    assert_eq!(summary(&plan), "2+");
}

#[test]
fn wishes_are_granted_and_the_others_make_room() {
    let mut wishes = wishes();
    wishes[2].cpu = Some(1);
    let plan = CpuPlan::make(&topology("0 1 2 3", "", "0-3"), &wishes).unwrap();
    assert_eq!(summary(&plan), "3+ 2+ 1+");
}

#[test]
fn a_wish_for_cpu_0_moves_the_system() {
    let wish = [ProcessWish::new("dynamics", 80).on_cpu(Some(0))];
    let plan = CpuPlan::make(&topology("0 1", "", "0-1"), &wish).unwrap();
    assert_eq!((summary(&plan).as_str(), plan.system_cpu()), ("0+", 1));
    let plan = CpuPlan::make(&topology("0", "", "0"), &wish).unwrap();
    assert_eq!(summary(&plan), "0s");
}

#[test]
fn two_wishes_for_one_cpu_share_it_and_do_not_spin() {
    let wishes = [ProcessWish::new("a", 80).on_cpu(Some(2)), ProcessWish::new("b", 80).on_cpu(Some(2))];
    let plan = CpuPlan::make(&topology("0 1 2 3", "2", "0-3"), &wishes).unwrap();
    assert_eq!(summary(&plan), "2p 2p");
    assert_eq!(plan.get("a").unwrap().shares_with, ["b"]);
}

#[test]
fn a_partner_joins_the_cpu_that_the_other_asked_for_when_there_are_too_few() {
    let mut wishes = wishes();
    wishes[1].cpu = Some(1);
    let plan = CpuPlan::make(&topology("0 1", "", "0-1"), &wishes).unwrap();
    assert_eq!(summary(&plan), "0s 1p 1p");
}

#[test]
fn impossible_wishes_are_refused_with_the_choice() {
    let topology = topology("0 1 2 3", "", "0-2");
    let refusal = |cpu| {
        let wish = [ProcessWish::new("daq", 80).on_cpu(Some(cpu))];
        CpuPlan::make(&topology, &wish).unwrap_err()
    };
    assert_eq!(
        refusal(9).to_string(),
        "daq is configured for CPU 9, which is not online (online: 0-3); choose one of these"
    );
    assert!(refusal(3).to_string().contains("may not use (allowed: 0-2)"), "{}", refusal(3));
}

#[test]
fn no_cpu_and_equal_names_are_errors() {
    let none = CpuPlan::make(&topology("0 1", "", "5"), &wishes()).unwrap_err();
    assert!(matches!(none, PlanError::NoUsableCpu { .. }));
    let twice = [ProcessWish::new("daq", 1), ProcessWish::new("daq", 2)];
    let error = CpuPlan::make(&topology("0 1", "", "0-1"), &twice).unwrap_err();
    assert_eq!(error, PlanError::DuplicateName { name: "daq".into() });
}

#[test]
fn a_partner_that_is_not_planned_has_no_effect() {
    let wish = [ProcessWish::new("subsystem", 80).in_lock_step_with("dynamics")];
    let plan = CpuPlan::make(&topology("0 1", "", "0-1"), &wish).unwrap();
    assert_eq!(summary(&plan), "1+");
    assert!(!plan.lock_step_may_spin("subsystem", "dynamics"));
    assert!(!plan.lock_step_may_spin("subsystem", "subsystem"));
}

#[test]
fn the_table_says_who_shares_with_whom() {
    let plan = CpuPlan::make(&topology("0 1", "1", "0-1"), &wishes()).unwrap();
    let expected = "\
process    CPU  kind      waits by  shares with
daq          0  ordinary  sleeping  the system
dynamics     1  isolated  sleeping  subsystem
subsystem    1  isolated  sleeping  dynamics
(system)     0  ordinary  -         daq";
    assert_eq!(plan.to_string(), expected);
}
