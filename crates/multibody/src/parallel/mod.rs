//! Parallel evaluation of independent chains: off unless a [`Pool`] is given to the integrator.
//!
//! The subtrees that hang on the base do not know of each other. A pool shares them out to threads, each of which has a replica of the
//! state and the workspace for its part, so that nothing is shared while it works. What branches show to the trunk is
//! added term by term in the order of the schedule, which is the order of the serial passes: **the bits are those of the serial step,
//! whatever the number of threads**. Forces are evaluated by the thread that steps.
//!
//! Each evaluation has three phases (forward, backward, outward), and each costs a handshake and the copying of the data that cross. That
//! pays only for mechanisms with many branches; the benchmarks show from how many bodies on.
//!
//! Create the pool before the process turns real-time, or from an ordinary thread: threads inherit the scheduling of the one that
//! creates them, and these are meant for the ordinary scheduler (`SCHED_OTHER`). A step with a pool does not allocate and waits for no
//! lock; it makes a system call only to wake workers that fell asleep and to give up its time slice to one that is behind.

mod branches;
mod replica;
mod workers;

use crate::dynamics::{Status, Workspace, backward_task, begin, bias_task, forward_task, outward_task};
use crate::math::Motion;
use crate::model::{Model, Task};
use crate::state::{Inputs, State};
use replica::{Phase, Replica};
use workers::Workers;

/// Threads for the independent chains of one model.
pub struct Pool {
    workers: Workers,
    /// Tasks of the trunk.
    trunk: Vec<Task>,
    /// For each task of the schedule: its group, none for the trunk.
    group: Vec<Option<usize>>,
}

impl Pool {
    /// A pool of `threads`, the calling one among them. It begins with what the workspace remembers: create it after
    /// [`crate::Integrator::start`], and step with it from then on, to have the bits of the serial steps.
    pub fn new(model: &Model, workspace: &Workspace, threads: usize) -> std::io::Result<Self> {
        let branch = branches::branches(model);
        let group = share_out(model, &branch, threads.max(1));
        let tasks = &model.schedule.tasks;
        let trunk: Vec<Task> = in_group(tasks, &group, None).into_iter().map(|it| it.1).collect();
        let clusters = trunk.iter().flat_map(|task| branches::clusters(model, *task));
        let slots: Vec<usize> = [0]
            .into_iter()
            .chain(clusters.flat_map(|it| it.bodies.clone()))
            .collect();
        let groups = 0..threads.max(1);
        let replica = |index| Replica::new(model, workspace, &slots, in_group(tasks, &group, Some(index)));
        Ok(Self {
            workers: Workers::new(model, groups.map(replica).collect())?,
            trunk,
            group,
        })
    }

    /// Number of threads, the calling one among them.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.workers.count()
    }

    fn phase(&mut self, phase: Phase, state: &State, inputs: &Inputs, workspace: &Workspace) {
        for index in 0..self.workers.count() {
            if let Some(mut group) = self.workers.group(index) {
                group.take(phase, state, inputs, workspace);
            }
        }
        self.workers.run(phase);
    }

    fn collect(&self, phase: Phase, state: &mut State, workspace: &mut Workspace) -> Status {
        let groups = (0..self.workers.count()).filter_map(|index| self.workers.group(index));
        groups.fold(Status::default(), |status, group| {
            status.worst(group.give(phase, state, workspace))
        })
    }

    /// As [`crate::dynamics::forward()`].
    pub fn forward(
        &mut self,
        model: &Model,
        state: &mut State,
        inputs: &Inputs,
        workspace: &mut Workspace,
    ) -> Status {
        begin(model, state, workspace);
        let mut status = Status::default();
        let mut lanes = std::mem::take(&mut workspace.lanes);
        for task in &self.trunk {
            let one = forward_task(model, *task, &mut lanes, state, inputs, workspace);
            status = status.worst(one.unwrap_or_default());
        }
        workspace.lanes = lanes;
        self.phase(Phase::Forward, state, inputs, workspace);
        status.worst(self.collect(Phase::Forward, state, workspace))
    }

    /// As [`crate::dynamics::backward()`].
    pub fn backward(&mut self, model: &Model, state: &State, inputs: &Inputs, workspace: &mut Workspace) {
        self.phase(Phase::Backward, state, inputs, workspace);
        let mut lanes = std::mem::take(&mut workspace.lanes);
        for task in &self.trunk {
            bias_task(model, *task, &lanes, workspace);
        }
        for (number, task) in model.schedule.tasks.iter().enumerate().rev() {
            match self.group[number].map(|index| self.workers.group(index)) {
                None => backward_task(model, *task, &mut lanes, state, workspace),
                Some(Some(group)) => group.add_share(number, workspace),
                Some(None) => {}
            }
        }
        workspace.lanes = lanes;
    }

    /// As [`crate::dynamics::outward()`].
    pub fn outward(&mut self, model: &Model, state: &mut State, inputs: &Inputs, workspace: &mut Workspace) {
        workspace.free_acceleration[0] = Motion::ZERO;
        let lanes = std::mem::take(&mut workspace.lanes);
        for task in &self.trunk {
            outward_task(model, *task, &lanes, state, workspace);
        }
        workspace.lanes = lanes;
        self.phase(Phase::Outward, state, inputs, workspace);
        self.collect(Phase::Outward, state, workspace);
    }
}

/// Tasks of a group with their places in the schedule.
fn in_group(tasks: &[Task], group: &[Option<usize>], which: Option<usize>) -> Vec<(usize, Task)> {
    let list = tasks.iter().copied().enumerate();
    list.filter(|(number, _)| group[*number] == which).collect()
}

/// Groups of about the same cost: each branch, in order, goes to the group that has least. Velocity coordinates count.
fn share_out(model: &Model, branch: &[Option<usize>], groups: usize) -> Vec<Option<usize>> {
    let count = branch.iter().flatten().max().map_or(0, |it| it + 1);
    let mut costs = vec![0; count];
    for (task, branch) in model.schedule.tasks.iter().zip(branch) {
        if let Some(branch) = branch {
            let clusters = branches::clusters(model, *task);
            costs[*branch] += clusters.iter().map(|it| it.velocities.len()).sum::<usize>();
        }
    }
    let mut loads = vec![0; groups];
    let home: Vec<usize> = costs
        .iter()
        .map(|cost| {
            let least = (0..groups).min_by_key(|index| loads[*index]).unwrap_or(0);
            loads[least] += cost;
            least
        })
        .collect();
    branch.iter().map(|it| it.map(|branch| home[branch])).collect()
}
