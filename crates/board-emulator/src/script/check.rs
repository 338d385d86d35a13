//! What contradicts in a script, and the order in which its tasks can run.

use super::error::{Place, Problem};
use super::pipes::{check_commands, own_width};
use super::program::{Field, Pin, Program, Task, Width};
use super::read::{Command, Definitions, InputProcedure, Verb};

/// Blocks that are handed over at once with `buffering=on`. The document says that values then wait
/// in buffers, not how many: our choice.
const GATHERED: usize = 64;

/// A pipe with values in it: how wide they are, and their place.
#[derive(Clone, Copy)]
struct Flow {
    width: Width,
    place: usize,
}

/// Makes a program of the definitions.
pub(super) fn check(definitions: &Definitions) -> Result<Program, Problem> {
    definitions.inputs.iter().try_for_each(check_input)?;
    for procedure in &definitions.processing {
        check_commands(definitions, &procedure.commands)?;
    }
    let (input, commands) = started(definitions)?;
    let channels = in_order(input);
    let mut pipes: Vec<(String, Flow)> = Vec::new();
    for (place, (number, ..)) in channels.iter().enumerate() {
        let width = Width::Word;
        pipes.push((format!("IP{number}"), Flow { width, place }));
    }
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
        channels: channels.iter().map(|(_, pin, _)| *pin).collect(),
        channel_ns: input.channel_ns.unwrap_or(0),
        places: pipes.len(),
        tasks,
        block: merge.from.iter().map(field).collect::<Result<_, _>>()?,
        gathered: if definitions.buffered { GATHERED } else { 1 },
    })
}

/// Channels are sampled in the order of their pipes' numbers, not of their lines.
fn in_order(input: &InputProcedure) -> Vec<(u16, Pin, Place)> {
    let mut channels = input.channels.clone();
    channels.sort_by_key(|(number, ..)| *number);
    channels
}

fn check_input(input: &InputProcedure) -> Result<(), Problem> {
    let InputProcedure { name, place, count, .. } = input;
    if input.channel_ns.is_none() {
        return Err((*place, format!("procedure {name} has no TIME")));
    }
    if input.channels.len() != *count {
        let found = input.channels.len();
        return Err((*place, format!("procedure {name} announces {count} channels, but sets {found}")));
    }
    let channels = in_order(input);
    for pair in channels.windows(2) {
        if pair[0].0 == pair[1].0 {
            return Err((pair[1].2, format!("IP{} is set twice in procedure {name}", pair[1].0)));
        }
    }
    let reads = |wanted: Pin| channels.iter().find(|(_, pin, _)| *pin == wanted);
    match (reads(Pin::Counter), reads(Pin::Latch)) {
        (Some((_, _, place)), None) => {
            Err((*place, format!("procedure {name} reads counters at B2 but never latches them: expected a SET of B3")))
        }
        _ => Ok(()),
    }
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
                let found = definitions.processing.iter().find(|procedure| procedure.name == *name);
                let found =
                    found.ok_or_else(|| (*place, format!("START of procedure {name}, which is not defined")))?;
                commands.extend(&found.commands);
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

/// Tasks run side by side on the board. Here they run one after the other, each after those that it
/// waits for.
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
