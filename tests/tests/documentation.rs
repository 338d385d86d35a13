//! Every command of the README and the documentation does what its comment says.
//!
//! A command that is in a page but not in the table below fails the test; so does a line of the
//! table whose command is in no page any more.

use std::path::{Path, PathBuf};
use std::process::Command;

use system_tests::live::{Running, until};
use system_tests::programs::{self, instance, root, said};

/// What becomes of a command.
enum Does {
    /// Run as it stands; this is in its output.
    Prints(&'static [&'static str]),
    /// Run in another form, because its own would not end, needs an instance of its own, or builds
    /// for minutes; this is in its output. `$I` is an instance that runs a vehicle, `$N` a free
    /// name for another, `$R` the repository.
    As(&'static str, &'static [&'static str]),
    /// Not run here, for this reason.
    Not(&'static str),
}

use Does::{As, Not, Prints};

const BUILDS: &str = "builds in release for minutes; scripts/test runs it";
const ROOT: &str = "changes the machine as root; tests/rt-vm runs it in a virtual machine";
const VM: &str = "starts a virtual machine; scripts/test does so";
const SYSTEMD: &str = "asks the journal of an installed instance; tests/rt-vm does so";
const MINUTES: &str = "measures for minutes";

const COMMANDS: &[(&str, Does)] = &[
    // README
    ("scripts/run", As("rtrd run --instance $N --seconds 1", &["drive-default", "ran for", "speed"])),
    ("scripts/test", Not(BUILDS)),
    (
        "scripts/run --seconds 60 --plot run.svg",
        As("rtrd run --instance $N --seconds 1 --plot run.svg", &["ran for", "wrote run.svg"]),
    ),
    (
        "scripts/run --vehicle passenger-car --scenario iso-3888-1",
        As(
            "rtrd run --instance $N --vehicle passenger-car --scenario iso-3888-1 --seconds 1",
            &["passenger-car", "Double lane change", "ran for"],
        ),
    ),
    (
        "scripts/run --scenario tank-level",
        As("rtrd run --instance $N --scenario tank-level --seconds 1", &["PID controller", "level_cm"]),
    ),
    ("PATH=$PWD/target/release:$PATH", Not("the test has a path of its own")),
    ("rtrd view", As("rtrd view --instance $I", &["the page is at http://127.0.0.1:", "#t="])),
    ("rtrd drive", As("rtrd drive --instance $I", &["the page is at http://127.0.0.1:", "&drive"])),
    ("rtrd run --no-view", As("rtrd run --no-view --instance $N --seconds 1", &["ran for"])),
    ("rtrd view --instance car1", As("rtrd view --instance $I", &["the page is at"])),
    ("rtrd top", As("rtrd top --instance $I --once", &["dynamics", "speed"])),
    ("rtrd check", As("rtrd check; true", &["kernel"])),
    ("rtrd jitter", Not(MINUTES)),
    ("rtrd sim tank-fig18 --plot tank.svg", Prints(&["times faster than real time", "wrote tank.svg"])),
    (
        "rtrd sim passenger-car --manoeuvre iso-3888-1 --plot car.svg",
        As(
            "rtrd sim passenger-car --manoeuvre iso-3888-1 --plot car.svg && grep -c -x 'path, seen from above' car.svg",
            &["wrote car.svg", "\n1\n"],
        ),
    ),
    ("rtrd report iso-3888-1 --out lane-change.html", Prints(&["least clearance", "wrote lane-change.html"])),
    (
        "rtrd signals speed_km_h 'vehicle.wheels[*].load_n' --instance default",
        As(
            "rtrd signals speed_km_h 'vehicle.wheels[*].load_n' --instance $I",
            &["speed_km_h", "vehicle.wheels[3].load_n"],
        ),
    ),
    ("rtrd config > car1.toml", As("rtrd config > car1.toml && grep -c '^#' car1.toml", &[""])),
    ("rtrd topology hmmwv --plot plan.svg", Prints(&["coordinates   31", "wrote plan.svg"])),
    ("rtrd equilibrium passenger-car", Prints(&["at rest after", "load N", "spring"])),
    ("rtrd linearise tractor-semitrailer --out truck.csv", Prints(&["A: 66 × 66", "damping", "wrote truck.csv"])),
    ("cargo run --release -p multibody --example step_cost models/hmmwv", Not(BUILDS)),
    ("scripts/package", Not(BUILDS)),
    ("sudo apt-get install ./target/debian/rtrd_*.deb", Not(ROOT)),
    ("sudo apt-get install linux-image-rt-amd64 rt-tests", Not(ROOT)),
    ("sudo rtrd deploy advise --apply --update-grub", Not(ROOT)),
    ("sudo reboot", Not(ROOT)),
    ("sudo rtrd deploy plan --instance car1", Not(ROOT)),
    ("rtrd check --config /etc/rtrd/car1.toml", Not("needs the installed package")),
    ("sudo rtrd check --config /etc/rtrd/car1.toml --report --sign-off \"Your Name\"", Not(ROOT)),
    ("sudo systemctl enable --now rtrd@car1.target", Not(ROOT)),
    ("sudo adduser $USER rtrd && newgrp rtrd", Not(ROOT)),
    ("rtrd top --instance car1", Not("needs the installed package")),
    // docs/simulator.md
    ("cargo run -p simulator -- --seeds 1000", Not("scripts/test runs it")),
    ("cargo run -p simulator -- --seed 394 --trace", Not("tests/simulator/tests/seeds.rs repeats a seed")),
    ("RTRD_SEED=394 cargo nextest run -p simulator seeds", Not("is a test itself")),
    // docs/acquisition.md and docs/emulator.md
    ("rtrd run --acquisition buggy", As("rtrd run --instance $N --acquisition buggy --seconds 1", &["ran for"])),
    ("rtrd config | grep -A10 '\\[daq\\]'", Prints(&["acquisition", "wait"])),
    ("rtrd daq scope", Not("needs a terminal; rtrd/tests/suite/daq/scope.rs has one")),
    ("rtrd daq record drive.csv --seconds 10", Not("rtrd/tests/suite/daq/record.rs records")),
    ("rtrd daq calibrate throttle --dry-run", Not("asks a person; rtrd/tests/suite/daq/calibrate.rs answers")),
    (
        "daq-service emulate --to fifo:/tmp/board --record sent.csv",
        As(
            "daq-service emulate --to fifo:./board --record sent.csv --seconds 0.5 --period-us 1000 & until test -p board; do sleep 0.1; done; cat board > /dev/null; wait && wc -l sent.csv",
            &["sent.csv"],
        ),
    ),
    ("daq-service emulate --list", Prints(&["drive"])),
    // docs/benchmarks.md
    ("scripts/bench", Not(BUILDS)),
    ("scripts/bench --list", Not(BUILDS)),
    ("scripts/bench shm-uncontended lock-step", Not(BUILDS)),
    ("scripts/bench --json figures.json", Not(BUILDS)),
    ("scripts/bench --quick", Not(BUILDS)),
    ("scripts/bench --cpus 2,3", Not(BUILDS)),
    // docs/faults.md
    ("scripts/soak", Not(MINUTES)),
    ("scripts/soak --seconds 300 --seed 7", Not(MINUTES)),
    ("scripts/soak --seed 7 --dry-run", As("rtrd soak --seed 7 --dry-run", &["s"])),
    ("scripts/soak --plan soak/plan.json", Not(MINUTES)),
    (
        "scripts/rt-vm --package target/debian/rtrd_*.deb --with tests/rt-vm/unplug.json --out unplug --time-limit 3600 -- bash -c 'RTRD_CPUS=0-1 rtrd soak --plan unplug.json --out \"$RT_VM_OUT/soak\"'",
        Not(VM),
    ),
    // docs/live.md
    ("rtrd run", As("rtrd run --instance $N --seconds 1", &["ran for"])),
    ("rtrd run --vehicle passenger-car --scenario iso-3888-1", Not("the same as the README's second `scripts/run`")),
    (
        "rtrd run --scenario iso-3888-1 --seconds 60",
        As("rtrd run --instance $N --scenario iso-3888-1 --seconds 1", &["ran for"]),
    ),
    ("rtrd run --scenario tank-level", Not("the same as the README's third `scripts/run`")),
    ("journalctl -u 'rtrd-*@car1' -f", Not(SYSTEMD)),
    ("journalctl INSTANCE=car1 EVENT=late-answer -o json", Not(SYSTEMD)),
    ("journalctl INSTANCE=car1 ROLE=dynamics-service -p warning", Not(SYSTEMD)),
    (
        "cc -std=c11 -O2 -o external_powertrain clients/c/external_powertrain.c -lm",
        As("cc -std=c11 -O2 -o external_powertrain $R/clients/c/external_powertrain.c -lm && echo built", &["built"]),
    ),
    (
        "sed 's/^powertrain = .*/powertrain = \"external\"/' models/vehicles/hmmwv.toml > electric.toml",
        As(
            "sed 's/^powertrain = .*/powertrain = \"external\"/' $R/models/vehicles/hmmwv.toml > electric.toml && grep external electric.toml",
            &["powertrain = \"external\""],
        ),
    ),
    ("rtrd run --vehicle ./electric.toml &", Not("tests/tests/external.rs runs both")),
    ("./external_powertrain default", Not("tests/tests/external.rs runs both")),
    // docs/readiness.md, docs/deployment.md
    ("sudo rtrd check --report --sign-off \"Your Name\"", Not(ROOT)),
    ("sudo apt-get install stress-ng", Not(ROOT)),
    ("stress-ng --cpu 1 --vm 1 --hdd 1 --timeout 5m &", Not(MINUTES)),
    ("sudo rtrd check --report --sign-off \"Your Name\" && rtrd run --require-rt", Not(ROOT)),
    // docs/reports.md
    ("rtrd report iso-3888-1", Prints(&["least clearance", "wrote iso-3888-1.html"])),
    (
        "rtrd report iso-7401-step --vehicle passenger-car --vehicle hmmwv --vehicle tractor-semitrailer --out step.html",
        Prints(&["passenger-car", "hmmwv", "tractor-semitrailer", "wrote step.html"]),
    ),
    (
        "rtrd report brake-straight --brake passenger-car --brake passenger-car-abs",
        Prints(&["passenger-car-abs", "wrote brake-straight.html"]),
    ),
    (
        "rtrd report chrono-sine-steer --reference measured.csv --tolerance 10",
        As(
            "rtrd sim chrono-sine-steer --out measured.csv && rtrd report chrono-sine-steer --reference measured.csv --tolerance 10",
            &["wrote measured.csv", "wrote chrono-sine-steer.html"],
        ),
    ),
    // docs/roads.md
    (
        "rtrd road make country.crg --layout winding --length 400 --radius 60 --hills 8 --banking 4 --class B --seed 1",
        Prints(&["country.crg: 2001 × 17 heights"]),
    ),
    (
        "rtrd road make circuit.crg --layout circuit --length 500 --radius 40 --class A --format ldfi",
        Prints(&["circuit.crg: "]),
    ),
    // docs/signals.md
    ("rtrd signals speed", Prints(&["speed_km_h", "vehicle.engine_speed_rad_s"])),
    (
        "rtrd sim hmmwv --out loads.csv --signals 'vehicle.wheels[*].load_n,speed_km_h'",
        As(
            "rtrd sim hmmwv --duration 1 --out loads.csv --signals 'vehicle.wheels[*].load_n,speed_km_h' && head -1 loads.csv",
            &["wrote loads.csv", "time_s,vehicle.wheels[0].load_n,", "speed_km_h"],
        ),
    ),
    // docs/rt-vm.md
    ("scripts/rt-vm -- uname -v", Not(VM)),
    ("scripts/rt-vm --with target/debug/deps/my_test-1234 -- my_test-1234 --nocapture", Not(VM)),
    (
        "scripts/rt-vm --module vcan --with my_test -- bash -c 'ip link add vcan0 type vcan && ip link set vcan0 up && my_test'",
        Not(VM),
    ),
    ("scripts/rt-vm --package target/debian/rtrd_*.deb -- rtrd check", Not(VM)),
    (
        "scripts/rt-vm --out results -- bash -c 'cyclictest -q -m -p80 -a1 -t1 -l2000 > $RT_VM_OUT/cyclictest.txt'",
        Not(VM),
    ),
    ("scripts/rt-vm --kernel ordinary -- uname -v", Not(VM)),
    ("scripts/rt-vm suite", Not(VM)),
    ("scripts/rt-vm controls", Not(VM)),
    // clients/c/README.md
    (
        "cc -std=c11 -O2 -o read_block clients/c/read_block.c",
        As("cc -std=c11 -O2 -o read_block $R/clients/c/read_block.c && echo built", &["built"]),
    ),
    ("./read_block default kinematics", As("./read_block $I kinematics", &["step"])),
    ("RTRD_UPDATE_HEADER=1 cargo test -p shm-layout --test c_header", Not(BUILDS)),
];

fn pages() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(root().join("docs")).expect("docs").map(|it| it.expect("an entry").path());
    let mut pages: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    [root().join("README.md")].into_iter().chain(pages).chain([root().join("clients/c/README.md")]).collect()
}

/// The commands of a page's blocks, without their comments.
fn commands(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).expect("a page");
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let blocks = blocks.map(|block| block.replace("\\\n", " "));
    let lines = blocks.flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>());
    let commands = lines.map(|line| {
        let command = line.find(" #").map_or(line.as_str(), |comment| &line[..comment]);
        command.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    commands.filter(|command| !command.is_empty()).collect()
}

#[test]
fn every_command_of_the_pages_is_in_the_table_and_the_other_way_round() {
    let written: Vec<(PathBuf, String)> = pages()
        .into_iter()
        .flat_map(|page| commands(&page).into_iter().map(move |command| (page.clone(), command)))
        .collect();
    for (page, command) in &written {
        let known = COMMANDS.iter().any(|(known, _)| known == command);
        assert!(known, "{}: in no row of the table: `{command}`", page.display());
    }
    for (command, _) in COMMANDS {
        let is_inline = *command == "rtrd config > car1.toml";
        let known = is_inline || written.iter().any(|(_, written)| written == command);
        assert!(known, "`{command}` is in no page");
    }
}

/// An instance that runs beside the commands, ended with them.
fn watched_instance(name: &str) -> Running {
    let running = Running::quietly(programs::rtrd().args(["run", "--quiet", "--instance", name, "--seconds", "300"]));
    until("the instance runs", || {
        said(&programs::rtrd_output(&["top", "--once", "--instance", name])).contains("running")
    });
    until("it has a page", || service::page_file(name).exists());
    running
}

#[test]
fn every_command_does_what_its_comment_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let programs = programs::folder();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let (watched, free) = (instance("docs"), instance("docs-own"));
    let _running = watched_instance(&watched);
    for (command, does) in COMMANDS {
        let (form, parts) = match does {
            Prints(parts) => (*command, *parts),
            As(form, parts) => (*form, *parts),
            Not(reason) => {
                println!("skipped: `{command}`: {reason}");
                continue;
            }
        };
        let mut shell = Command::new("bash");
        shell.args(["-c", form]).current_dir(folder.path());
        shell.env("PATH", &path).env("I", &watched).env("N", &free).env("R", root());
        shell.env("XDG_STATE_HOME", programs.join("test-state"));
        let output = shell.output().expect("bash runs");
        let text = said(&output);
        assert!(output.status.success(), "`{command}`, run as `{form}`:\n{text}");
        for part in parts {
            assert!(text.contains(part), "`{command}`, run as `{form}`, says nothing of {part:?}:\n{text}");
        }
        for name in text.lines().filter_map(|line| line.strip_prefix("wrote ")) {
            let name = name.split(" (").next().unwrap_or(name);
            let size = std::fs::metadata(folder.path().join(name)).map_or(0, |file| file.len());
            assert!(size > 0, "`{command}` wrote nothing to {name}");
        }
    }
}
