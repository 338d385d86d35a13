//! What contradicts in a script, which pipes its tasks may read and write, and the order in which
//! they can run.

use super::read::{Command, Definitions, InputProcedure, Verb, input_pipe};
use super::{Field, Place, Problem, Program, Task, Width};

/// Blocks that are handed over at once with `buffering=on`. The document says that values then wait
/// in buffers, not how many: our choice.
const GATHERED: usize = 64;

/// A pipe with values in it: how wide they are, and their place.
#[derive(Clone, Copy)]
struct Flow {
    width: Width,
    place: usize,
}

pub(super) fn check(definitions: &Definitions) -> Result<Program, Problem> {
    if let Some(problem) = definitions.inputs.iter().find_map(|input| input.problem.clone()) {
        return Err(problem);
    }
    for command in definitions.processing.iter().flat_map(|(_, commands)| commands) {
        check_command(definitions, command)?;
    }
    let (input, commands) = started(definitions)?;
    let sampled = input.channels.iter().enumerate();
    let flow = |place| Flow { width: Width::Word, place };
    let mut pipes: Vec<(String, Flow)> =
        sampled.map(|(place, (number, ..))| (format!("IP{number}"), flow(place))).collect();
    let tasks = ordered_tasks(definitions, &commands, &mut pipes)?;
    let merges: Vec<&&Command> = commands.iter().filter(|command| command.verb == Verb::Merge).collect();
    let merge = match merges.as_slice() {
        [merge] => merge,
        [] => {
            let place = definitions.started[0].0;
            return Err((place, "nothing is sent to $BinOut: a started PDEF needs a MERGE".into()));
        }
        [_, second, ..] => return Err((second.place, "only one MERGE may write to $BinOut".into())),
    };
    let field = |(place, name): &(Place, String)| -> Result<Field, Problem> {
        let flow = find(&pipes, name).ok_or_else(|| never(*place, name))?;
        Ok(Field { pipe: name.clone(), width: flow.width, place: flow.place })
    };
    Ok(Program {
        channels: input.channels.iter().map(|(_, pin, _)| *pin).collect(),
        channel_ns: input.channel_ns,
        places: pipes.len(),
        tasks,
        block: merge.from.iter().map(field).collect::<Result<_, _>>()?,
        gathered: if definitions.buffered { GATHERED } else { 1 },
    })
}

/// The one input procedure that is started, and the tasks of all that are.
fn started(definitions: &Definitions) -> Result<(&InputProcedure, Vec<&Command>), Problem> {
    let mut input: Option<&InputProcedure> = None;
    let mut commands = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for (place, name) in &definitions.started {
        if seen.contains(&name.as_str()) {
            return Err((*place, format!("procedure {name} is started twice")));
        }
        seen.push(name);
        let found = definitions.inputs.iter().find(|input| input.name == *name);
        match (found, input) {
            (Some(second), Some(first)) => {
                let problem =
                    format!("the board runs one input procedure at a time, not {} and {}", first.name, second.name);
                return Err((*place, problem));
            }
            (Some(found), None) => input = Some(found),
            (None, _) => {
                let found = definitions.processing.iter().find(|(procedure, _)| procedure == name);
                let (_, lines) =
                    found.ok_or_else(|| (*place, format!("START of procedure {name}, which is not defined")))?;
                commands.extend(lines);
            }
        }
    }
    let end = definitions.end.unwrap_or(Place { line: 1, column: 1 });
    let place = definitions.started.first().map_or(end, |(place, _)| *place);
    let missing = if definitions.started.is_empty() {
        "nothing is started: expected START with the names of the procedures"
    } else {
        "no input procedure is started: expected the name of an IDEF in START"
    };
    let input = input.ok_or_else(|| (place, missing.to_owned()))?;
    Ok((input, commands))
}

fn find(pipes: &[(String, Flow)], name: &str) -> Option<Flow> {
    pipes.iter().find(|(other, _)| other == name).map(|(_, flow)| *flow)
}

fn never(place: Place, name: &str) -> Problem {
    let problem = format!("pipe {name} never gets a value: what fills it is not started, or waits for itself");
    (place, problem)
}

/// The board's tasks run side by side; here each runs after those that it waits for.
fn ordered_tasks(
    definitions: &Definitions,
    commands: &[&Command],
    pipes: &mut Vec<(String, Flow)>,
) -> Result<Vec<Task>, Problem> {
    let mut waiting: Vec<&Command> = commands.iter().copied().filter(|command| command.verb != Verb::Merge).collect();
    let mut tasks = Vec::new();
    while !waiting.is_empty() {
        let ready = waiting.iter().position(|command| find(pipes, &command.from[0].1).is_some());
        let Some(ready) = ready else {
            let (place, name) = &waiting[0].from[0];
            return Err(never(*place, name));
        };
        let command = waiting.remove(ready);
        let source = find(pipes, &command.from[0].1).expect("it is ready");
        let (place, name) = &command.to;
        if find(pipes, name).is_some() {
            return Err((*place, format!("pipe {name} is written by two tasks")));
        }
        let to = pipes.len();
        let width = own_width(definitions, name).unwrap_or(Width::Long);
        pipes.push((name.clone(), Flow { width, place: to }));
        tasks.extend(match command.verb {
            Verb::Count { offset } => Some(Task::Count { from: source.place, offset, to }),
            Verb::Rate { window } => Some(Task::Rate { from: source.place, width: source.width, window, to }),
            Verb::Merge => None,
        });
    }
    Ok(tasks)
}

/// What can be said of a task whether it is started or not.
fn check_command(definitions: &Definitions, command: &Command) -> Result<(), Problem> {
    for (place, name) in &command.from {
        known_pipe(definitions, *place, name)?;
    }
    if command.verb == Verb::Merge {
        return check_rates(definitions, command);
    }
    let (place, name) = &command.to;
    known_pipe(definitions, *place, name)?;
    if own_width(definitions, name) != Some(Width::Long) {
        let problem = format!("the result has 32 bits: expected a pipe that PIPES declares as LONG, found {name}");
        return Err((*place, problem));
    }
    let (place, name) = &command.from[0];
    if matches!(command.verb, Verb::Count { .. }) && input_pipe(name).is_none() {
        return Err((*place, format!("QDCOUNT extends a 16-bit count: expected an input pipe, found {name}")));
    }
    Ok(())
}

fn check_rates(definitions: &Definitions, merge: &Command) -> Result<(), Problem> {
    let block_ns = |input: &InputProcedure| input.channel_ns * input.channels.len() as u64;
    let mut known = merge.from.iter().filter_map(|(_, name)| Some((name, block_ns(origin(definitions, name)?))));
    let Some((first, first_ns)) = known.next() else {
        return Ok(());
    };
    known.find(|(_, ns)| *ns != first_ns).map_or(Ok(()), |(other, other_ns)| {
        let each = |pipe: &str, ns: u64| format!("{pipe} gets one every {} µs", ns as f64 / 1e3);
        let (first, other) = (each(first, first_ns), each(other, other_ns));
        Err((merge.place, format!("MERGE needs pipes with equal rates: {first}, {other}")))
    })
}

/// The input procedure whose samples come to a pipe in the end, if there is one.
fn origin<'a>(definitions: &'a Definitions, name: &str) -> Option<&'a InputProcedure> {
    let mut name = name;
    // Each round follows a pipe to the task that fills it; more rounds than pipes would be a
    // circle.
    for _ in 0..=definitions.pipes.len() {
        if let Some(number) = input_pipe(name) {
            let sets = |input: &&InputProcedure| input.channels.iter().any(|(other, ..)| *other == number);
            return definitions.inputs.iter().find(sets);
        }
        let mut commands = definitions.processing.iter().flat_map(|(_, commands)| commands);
        name = &commands.find(|command| command.to.1 == name)?.from[0].1;
    }
    None
}

fn known_pipe(definitions: &Definitions, place: Place, name: &str) -> Result<(), Problem> {
    let is_set = |number: u16| {
        let mut channels = definitions.inputs.iter().flat_map(|input| &input.channels);
        channels.any(|(other, ..)| *other == number)
    };
    match input_pipe(name) {
        Some(number) if is_set(number) => Ok(()),
        Some(_) => Err((place, format!("pipe {name} is not SET by any IDEF"))),
        None if own_width(definitions, name).is_some() => Ok(()),
        None => Err((place, format!("pipe {name} is not known: expected an input pipe or one that PIPES declares"))),
    }
}

/// How wide a pipe of the script's own is.
fn own_width(definitions: &Definitions, name: &str) -> Option<Width> {
    let mut pipes = definitions.pipes.iter();
    pipes.find(|(other, _)| other == name).map(|(_, width)| *width)
}
