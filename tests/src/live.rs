//! A live run, watched through the shared region.

use std::io::Read;
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rt::machine::CpuList;
pub use rt::processes::is_alive;
use shm_layout::blocks::{self, Health, Kinematics, PlantOutputs, STATE_RUNNING};
use shm_layout::{Block, Reader, Region, RegionName};

use crate::programs::rtrd;

/// The processes of a run.
pub const PROCESSES: [(&str, Block<Health>); 3] = [
    ("daq-service", blocks::DAQ_HEALTH),
    ("subsystem-service", blocks::SUBSYSTEM_HEALTH),
    ("dynamics-service", blocks::DYNAMICS_HEALTH),
];

/// How long to wait for something that should happen soon, on a machine that may be busy. Only a
/// test that fails waits so long.
const WAIT_MAX: Duration = Duration::from_secs(120);

/// A run of `rtrd run` that is ended when it is dropped.
pub struct LiveRun {
    supervisor: Option<Child>,
    /// What it says on both outputs, read all the time: a pipe that is full would stop it.
    said: [Option<JoinHandle<Vec<u8>>>; 2],
    name: RegionName,
    region: Region,
    health: [Reader<Health>; 3],
    outputs: Reader<PlantOutputs>,
    motion: Reader<Kinematics>,
}

impl LiveRun {
    /// Starts a run and waits until all processes are in their loops.
    pub fn start(instance: &str, arguments: &[&str]) -> Self {
        let mut command = rtrd();
        let has_page = arguments.contains(&"--listen");
        command.args(["run", "--quiet", "--instance", instance]).args(arguments);
        command.args((!has_page).then_some("--no-view"));
        Self::start_command(instance, command)
    }

    /// Starts a run by a command of its own.
    pub fn start_command(instance: &str, mut command: Command) -> Self {
        let mut supervisor = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("rtrd starts");
        let said = [read_all(supervisor.stdout.take()), read_all(supervisor.stderr.take())];
        let name = RegionName::new(instance).expect("a good name");
        let region = eventually("the region appears", || Region::observe(&name).ok());
        let health = PROCESSES.map(|(_, block)| region.reader(block));
        let (outputs, motion) = (region.reader(blocks::PLANT_OUTPUTS), region.reader(blocks::KINEMATICS));
        let mut run = Self { supervisor: Some(supervisor), said, name, region, health, outputs, motion };
        for index in 0..PROCESSES.len() {
            run.wait_until_running(index, 0);
        }
        run
    }

    /// The process number of the supervisor.
    pub fn supervisor_pid(&self) -> u32 {
        self.supervisor.as_ref().map_or(0, Child::id)
    }

    /// The region.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// The newest health of a process.
    pub fn health(&mut self, index: usize) -> Health {
        self.health[index].latest().map(|snapshot| *snapshot.value).unwrap_or_default()
    }

    /// The process number of each process.
    pub fn pids(&mut self) -> Vec<u64> {
        (0..PROCESSES.len()).map(|index| self.health(index).pid).collect()
    }

    /// Asserts that all but one process are those that they were.
    pub fn assert_others_live(&mut self, victim: usize, pids: &[u64], when: &str) {
        for other in (0..PROCESSES.len()).filter(|other| *other != victim) {
            assert_eq!(self.health(other).pid, pids[other], "{when}: {} died too", PROCESSES[other].0);
            assert!(is_alive(pids[other]), "{when}: {} died too", PROCESSES[other].0);
        }
    }

    /// Waits until the process is in its loop under another number than this; returns the new one.
    pub fn wait_until_running(&mut self, index: usize, not_pid: u64) -> u64 {
        let (name, _) = PROCESSES[index];
        eventually(&format!("{name} runs"), || {
            let health = self.health(index);
            (health.state == STATE_RUNNING && health.pid != not_pid).then_some(health.pid)
        })
    }

    /// The newest outputs of the plant.
    pub fn outputs(&mut self) -> PlantOutputs {
        self.outputs.latest().map(|snapshot| *snapshot.value).unwrap_or_default()
    }

    /// The newest motion of the vehicle.
    pub fn motion(&mut self) -> Kinematics {
        self.motion.latest().map(|snapshot| *snapshot.value).unwrap_or_default()
    }

    /// Waits until the plant or the vehicle has made a step beyond this one.
    pub fn wait_for_step_after(&mut self, step: u64) -> u64 {
        let newest = |run: &mut Self| run.outputs().stamp.step.max(run.motion().stamp.step);
        eventually("the plant steps", || Some(newest(self)).filter(|now| *now > step))
    }

    /// Ends the run as Ctrl-C does, and returns what the supervisor said.
    pub fn finish(mut self) -> Output {
        let mut child = self.supervisor.take().expect("the run has not been ended");
        send(child.id(), Signal::SIGINT);
        let status = child.wait().expect("the supervisor ends");
        let [stdout, stderr] = self.said.each_mut().map(|said| said.take().map_or(Vec::new(), joined));
        Output { status, stdout, stderr }
    }

    /// Kills the supervisor, so that it can do nothing any more.
    pub fn kill_supervisor(&mut self) {
        let mut child = self.supervisor.take().expect("the run has not been ended");
        child.kill().expect("the supervisor is there");
        child.wait().expect("the supervisor is dead");
    }

    /// Whether the region still has its name.
    pub fn region_exists(&self) -> bool {
        self.name.path().exists()
    }
}

/// Reads to the end in a thread.
fn read_all(output: Option<impl Read + Send + 'static>) -> Option<JoinHandle<Vec<u8>>> {
    let mut output = output?;
    Some(std::thread::spawn(move || {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).expect("a pipe");
        bytes
    }))
}

fn joined(reading: JoinHandle<Vec<u8>>) -> Vec<u8> {
    reading.join().expect("a thread that reads")
}

impl Drop for LiveRun {
    fn drop(&mut self) {
        if let Some(mut child) = self.supervisor.take() {
            let _ = kill(Pid::from_raw(child.id() as i32), Signal::SIGINT);
            let _ = child.wait();
        }
    }
}

/// Sends a signal to a process that is there.
pub fn send(pid: impl TryInto<i32>, signal: Signal) {
    let pid = pid.try_into().ok().expect("a process number");
    kill(Pid::from_raw(pid), signal).expect("the process is there");
}

/// A process that is asked to end, and waited for, when this value is dropped.
pub struct Running(pub Child);

impl Running {
    /// Starts it, with its outputs thrown away.
    pub fn quietly(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts"))
    }

    /// Sends it a signal.
    pub fn send(&self, signal: Signal) {
        send(self.0.id(), signal);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has been waited for may have given its number away.
        if let Ok(None) = self.0.try_wait() {
            self.send(Signal::SIGTERM);
        }
        let _ = self.0.wait();
    }
}

/// What the kernel says of a thread.
pub struct Thread {
    /// Its name.
    pub name: String,
    /// 0 is `SCHED_OTHER`, 1 is `SCHED_FIFO`.
    pub policy: u32,
    /// Under `SCHED_FIFO`; otherwise 0.
    pub priority: u32,
    /// The CPUs that it may run on.
    pub cpus: CpuList,
}

/// The threads of a process, the first one first.
pub fn threads(process: u64) -> Vec<Thread> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).expect("threads");
    let mut numbers: Vec<u32> = tasks.flatten().filter_map(|task| task.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    let thread = |number: u32| {
        let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/task/{number}/{file}"));
        // proc(5): priority and policy are fields 40 and 41 of `stat`, and the name in brackets is
        // the second.
        let stat = read("stat").expect("a thread");
        let fields: Vec<&str> = stat.rsplit_once(") ").expect("a name").1.split_whitespace().collect();
        let status = read("status").expect("a thread");
        let cpus = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("CPUs");
        Thread {
            name: read("comm").expect("a thread").trim().to_owned(),
            priority: fields[40 - 3].parse().expect("a priority"),
            policy: fields[41 - 3].parse().expect("a policy"),
            cpus: cpus.parse().expect("a list of CPUs"),
        }
    };
    numbers.into_iter().map(thread).collect()
}

/// Looks again and again until there is something.
pub fn eventually<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    eventually_after(Duration::from_millis(2), what, look)
}

/// The same with a pause of this length after each look in vain.
pub fn eventually_after<T>(pause: Duration, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    while began.elapsed() < WAIT_MAX {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(pause);
    }
    panic!("not within {WAIT_MAX:?}: {what}");
}

/// Waits until something holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    eventually(what, || holds().then_some(()));
}
