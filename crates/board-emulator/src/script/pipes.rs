//! Which pipes a script's tasks may read and write.

use super::error::{Place, Problem};
use super::procedures::input_pipe;
use super::program::Width;
use super::read::{Command, Definitions, InputProcedure, Verb};

/// What can be said of tasks whether they are started or not.
pub(super) fn check_commands(definitions: &Definitions, commands: &[Command]) -> Result<(), Problem> {
    for command in commands {
        let known: Vec<(&str, &InputProcedure)> = command
            .from
            .iter()
            .map(|(place, name)| {
                known_pipe(definitions, *place, name)?;
                Ok(origin(definitions, name).map(|input| (name.as_str(), input)))
            })
            .collect::<Result<Vec<_>, Problem>>()?
            .into_iter()
            .flatten()
            .collect();
        if command.verb == Verb::Merge {
            check_rates(command, &known)?;
            continue;
        }
        let (place, name) = &command.to;
        known_pipe(definitions, *place, name)?;
        if own_width(definitions, name) != Some(Width::Long) {
            return Err((
                *place,
                format!("the result has 32 bits: expected a pipe that PIPES declares as LONG, found {name}"),
            ));
        }
        let (place, name) = &command.from[0];
        if matches!(command.verb, Verb::Count { .. }) && input_pipe(name).is_none() {
            return Err((*place, format!("QDCOUNT extends a 16-bit count: expected an input pipe, found {name}")));
        }
    }
    Ok(())
}

fn check_rates(merge: &Command, known: &[(&str, &InputProcedure)]) -> Result<(), Problem> {
    let block_ns = |input: &InputProcedure| input.channel_ns.unwrap_or(0) * input.channels.len() as u64;
    let Some((first, rest)) = known.split_first() else {
        return Ok(());
    };
    for other in rest {
        if block_ns(first.1) != block_ns(other.1) {
            let each = |(pipe, input): &(&str, &InputProcedure)| {
                format!("{pipe} gets one every {} µs", block_ns(input) as f64 / 1e3)
            };
            return Err((merge.place, format!("MERGE needs pipes with equal rates: {}, {}", each(first), each(other))));
        }
    }
    Ok(())
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
        let mut commands = definitions.processing.iter().flat_map(|procedure| &procedure.commands);
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
pub(super) fn own_width(definitions: &Definitions, name: &str) -> Option<Width> {
    let mut pipes = definitions.pipes.iter();
    pipes.find(|(other, _)| other == name).map(|(_, width)| *width)
}
