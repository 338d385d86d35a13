//! Questions and answers, one line each: by a person, or by a pipe.

use std::io::{BufRead, StdinLock, Write};

use anyhow::{Context, bail};

/// How often a line that cannot be understood may be answered again.
const ATTEMPTS: usize = 5;

/// Asks on standard output, listens on standard input.
pub struct Dialogue {
    input: StdinLock<'static>,
}

impl Dialogue {
    pub fn new() -> Self {
        Self { input: std::io::stdin().lock() }
    }

    /// Asks for a number; an empty line is the usual one, if there is one.
    pub fn value(&mut self, question: &str, unit: &str, usual: Option<f64>) -> anyhow::Result<f64> {
        let hint = match usual {
            Some(usual) => format!("[{usual}]"),
            None => "(type it)".to_owned(),
        };
        let unit = if unit.is_empty() { String::new() } else { format!(" in {unit}") };
        self.ask_until(&format!("{question}{unit} {hint}, then Enter: "), "a number", |answer| match answer {
            "" => usual,
            answer => number(answer),
        })
    }

    /// Asks whether to take a number: an empty line or yes takes it, no takes none, another number
    /// takes that.
    pub fn accept(&mut self, question: &str, proposed: f64) -> anyhow::Result<Option<f64>> {
        let expected = "Enter, n or a number that is not negative";
        self.ask_until(&format!("{question} [Enter: yes, n: none, or a number]: "), expected, |answer| match answer {
            "" | "y" | "yes" => Some(Some(proposed)),
            "n" | "no" => Some(None),
            answer => number(answer).filter(|value| *value >= 0.0).map(Some),
        })
    }

    /// Asks for yes or no; an empty line is yes.
    pub fn agree(&mut self, question: &str) -> anyhow::Result<bool> {
        self.ask_until(&format!("{question} [Enter: yes, n: no]: "), "Enter or n", |answer| match answer {
            "" | "y" | "yes" => Some(true),
            "n" | "no" => Some(false),
            _ => None,
        })
    }

    fn ask_until<T>(
        &mut self,
        question: &str,
        expected: &str,
        understand: impl Fn(&str) -> Option<T>,
    ) -> anyhow::Result<T> {
        for _ in 0..ATTEMPTS {
            let answer = self.ask(question)?.to_lowercase();
            match understand(&answer) {
                Some(understood) => return Ok(understood),
                None => println!("  expected {expected}, found {answer:?}"),
            }
        }
        bail!("none of {ATTEMPTS} answers was {expected}; nothing was written")
    }

    fn ask(&mut self, question: &str) -> anyhow::Result<String> {
        print!("{question}");
        std::io::stdout().flush().context("cannot ask")?;
        let mut answer = String::new();
        let count = self.input.read_line(&mut answer).context("cannot read the answer")?;
        if count == 0 {
            println!();
            bail!("the answers ended before the calibration; nothing was written");
        }
        Ok(answer.trim().to_owned())
    }
}

fn number(text: &str) -> Option<f64> {
    text.replace(',', ".").parse().ok().filter(|value: &f64| value.is_finite())
}
