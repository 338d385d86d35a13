//! The findings as a page for people.
//!
//! One line for each check: mark, title, what was found. Below it, only where something is wrong,
//! what was wanted, why it matters and how to correct it. Prose is wrapped to the width; commands
//! never are, since a command that was broken over two lines cannot be copied.

use super::summary::summarise;
use super::{Area, Finding, Verdict};

const WIDTH_MIN: usize = 40;
/// Blanks before the lines below a title.
const DETAIL_INDENT: usize = 6;
/// Width of the labels `wanted`, `why`, `fix` with the gap after them.
const LABEL_WIDTH: usize = 8;

const BOLD: &str = "1";
const DIM: &str = "2";
const CYAN: &str = "36";

/// Writes the findings for a terminal of `width` columns.
pub fn render_text(findings: &[Finding], colour: bool, width: usize) -> String {
    let page = Page { colour, width: width.max(WIDTH_MIN), title_width: title_width(findings) };
    let mut lines = Vec::new();
    let mut area = None;
    for (position, finding) in findings.iter().enumerate() {
        if area != Some(finding.area) {
            page.heading(finding.area, &mut lines);
            area = Some(finding.area);
        }
        page.finding(finding, &findings[..position], &mut lines);
    }
    page.closing(findings, &mut lines);
    lines.join("\n") + "\n"
}

fn title_width(findings: &[Finding]) -> usize {
    findings.iter().map(|finding| finding.title.chars().count()).max().unwrap_or(0)
}

struct Page {
    colour: bool,
    width: usize,
    title_width: usize,
}

impl Page {
    fn heading(&self, area: Area, lines: &mut Vec<String>) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.push(self.paint(BOLD, area.heading()));
    }

    fn finding(&self, finding: &Finding, earlier: &[Finding], lines: &mut Vec<String>) {
        self.title_line(finding, lines);
        if finding.verdict == Verdict::Pass {
            return;
        }
        self.detail("wanted", &finding.expected, lines);
        self.detail("why", finding.why, lines);
        if let Some(fix) = &finding.fix {
            self.fix(fix, earlier, lines);
        }
    }

    fn title_line(&self, finding: &Finding, lines: &mut Vec<String>) {
        let (mark, paint) = mark(finding.verdict);
        // Four columns for the mark, two between title and what was found.
        let indent = 4 + self.title_width + 2;
        let mut wrapped = wrap(&finding.found, self.width.saturating_sub(indent)).into_iter();
        let title = format!("{:<1$}", finding.title, self.title_width);
        let title = if finding.verdict == Verdict::Pass { title } else { self.paint(BOLD, &title) };
        let first = wrapped.next().unwrap_or_default();
        lines.push(format!("  {} {title}  {first}", self.paint(paint, mark)).trim_end().to_owned());
        lines.extend(wrapped.map(|line| format!("{:indent$}{line}", "")));
    }

    fn detail(&self, label: &str, text: &str, lines: &mut Vec<String>) {
        let room = self.width.saturating_sub(DETAIL_INDENT + LABEL_WIDTH);
        let mut label = label;
        for line in wrap(text, room) {
            lines.push(self.labelled(label, &line));
            label = "";
        }
    }

    fn fix(&self, fix: &str, earlier: &[Finding], lines: &mut Vec<String>) {
        let same = earlier.iter().find(|other| other.verdict != Verdict::Pass && other.fix.as_deref() == Some(fix));
        if let Some(same) = same {
            return self.detail("fix", &format!("the same as for “{}” above", same.title), lines);
        }
        let mut label = "fix";
        for command in fix.lines() {
            lines.push(self.labelled(label, &self.paint(CYAN, command)));
            label = "";
        }
    }

    fn labelled(&self, label: &str, text: &str) -> String {
        let label = self.paint(DIM, &format!("{label:<LABEL_WIDTH$}"));
        format!("{:DETAIL_INDENT$}{label}{text}", "")
    }

    fn closing(&self, findings: &[Finding], lines: &mut Vec<String>) {
        let summary = summarise(findings);
        let (mark, paint) = mark(summary.verdict);
        lines.push(String::new());
        lines.push(format!("{} {summary}", self.paint(paint, mark)));
        lines.push(format!("  {}", self.paint(BOLD, summary.meaning())));
    }

    fn paint(&self, code: &str, text: &str) -> String {
        if self.colour && !text.trim().is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }
}

/// The mark of a verdict and its colour: green, yellow, red, blue.
fn mark(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Pass => ("✔", "32"),
        Verdict::Warning => ("▲", "33"),
        Verdict::Failure => ("✘", "31"),
        Verdict::Unknown => ("?", "34"),
    }
}

/// Breaks a text at its blanks; a word that is longer than a line has a line of its own.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
