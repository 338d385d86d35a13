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
        for _ in 0..ATTEMPTS {
            let answer = self.ask(&format!("{question}{unit} {hint}, then Enter: "))?;
            match (answer.as_str(), usual) {
                ("", Some(usual)) => return Ok(usual),
                (answer, _) => match number(answer) {
                    Some(value) => return Ok(value),
                    None => println!("  expected a number, found {answer:?}"),
                },
            }
        }
        bail!("no number was given in {ATTEMPTS} answers; nothing was written")
    }

    /// Asks whether to take a number: an empty line or yes takes it, no takes none, another number takes that.
    pub fn accept(&mut self, question: &str, proposed: f64) -> anyhow::Result<Option<f64>> {
        for _ in 0..ATTEMPTS {
            let answer = self.ask(&format!("{question} [Enter: yes, n: none, or a number]: "))?;
            match answer.to_lowercase().as_str() {
                "" | "y" | "yes" => return Ok(Some(proposed)),
                "n" | "no" => return Ok(None),
                answer => match number(answer).filter(|value| *value >= 0.0) {
                    Some(value) => return Ok(Some(value)),
                    None => {
                        println!("  expected Enter, n or a number that is not negative, found {answer:?}")
                    }
                },
            }
        }
        bail!("no answer was understood; nothing was written")
    }

    /// Asks for yes or no; an empty line is yes.
    pub fn agree(&mut self, question: &str) -> anyhow::Result<bool> {
        for _ in 0..ATTEMPTS {
            match self.ask(&format!("{question} [Enter: yes, n: no]: "))?.to_lowercase().as_str() {
                "" | "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                answer => println!("  expected Enter or n, found {answer:?}"),
            }
        }
        bail!("no answer was understood; nothing was written")
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
