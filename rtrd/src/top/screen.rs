//! The look on a terminal. Everything is on one screen: what has no room is left out, the least
//! important first.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line as TextLine, Span};
use ratatui::widgets::{Block, Borders, Paragraph, Sparkline};
use shm_layout::{Region, RegionError, RegionName};

use super::live::{self, Picture, draw_footer};
use super::look::{Look, Readiness, Watched};
use super::table::{Line, Table, Tone};
use super::{heading, histogram, processes, tables};
use crate::view::ProcessView;

/// Rows of the pictures of the selected process, with their title and axis; shown where there is
/// room.
const PICTURE_ROWS: u16 = 8;
const PICTURES_FROM_ROWS: u16 = 33;
/// Columns that the signals keep beside the blocks.
const SIGNAL_COLUMNS: u16 = 38;
/// Columns of the small picture on a small terminal.
const SMALL_PICTURE_COLUMNS: u16 = 24;

fn draw(frame: &mut Frame, app: &App, interval_ms: u64) {
    let look = &app.look;
    let rows = look.processes.len() as u16 + 2;
    let pictures = frame.area().height >= PICTURES_FROM_ROWS;
    let areas = Layout::vertical([
        Constraint::Length(2),
        Constraint::Length(rows),
        Constraint::Length(rows),
        Constraint::Length(if pictures { PICTURE_ROWS } else { 0 }),
        Constraint::Min(0),
        Constraint::Length(1),
    ])
    .split(frame.area());
    draw_heading(frame, areas[0], app);
    let table = processes::table(&look.processes);
    draw_table(frame, areas[1], "processes", &table, Some(app.selected));
    let table = processes::latency_table(&look.processes);
    draw_table(frame, areas[2], "latencies in µs", &table, Some(app.selected));
    if let Some(process) = look.processes.get(app.selected) {
        if pictures {
            draw_pictures(frame, areas[3], process);
        } else {
            draw_small_picture(frame, areas[2], process);
        }
    }
    draw_exchange(frame, areas[4], look);
    draw_footer(frame, areas[5], "process", interval_ms);
}

fn draw_heading(frame: &mut Frame, area: Rect, app: &App) {
    let (statement, tone) = match &app.banner {
        Some(banner) => (banner.clone(), Tone::Bad),
        None => heading::real_time(&app.look.processes, &app.look.report_status),
    };
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let lines = vec![
        live::heading("rtrd top", &heading::run(&app.look), Tone::Plain),
        TextLine::styled(format!(" {statement}"), style(tone).patch(bold)),
    ];
    frame.render_widget(Paragraph::new(lines), area);
}

fn draw_exchange(frame: &mut Frame, area: Rect, look: &Look) {
    let table = tables::blocks(&look.blocks);
    let columns = (table.short_width() as u16 + 2).max(area.width / 2);
    let columns = columns.min(area.width.saturating_sub(SIGNAL_COLUMNS));
    let areas = Layout::horizontal([Constraint::Length(columns), Constraint::Min(0)]).split(area);
    let title = format!("blocks ({} never written)", tables::never_claimed(&look.blocks));
    draw_table(frame, areas[0], &title, &table, None);
    let table = tables::signals(look.exchange.as_ref());
    draw_table(frame, areas[1], "signals", &table, None);
}

/// A table under a line with its title; the selected row has a mark. The last line says how many
/// rows have no room.
pub fn draw_table(frame: &mut Frame, area: Rect, title: &str, table: &Table, selected: Option<usize>) {
    let block = section(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let mut lines = table.fit(usize::from(inner.width).saturating_sub(2));
    let room = usize::from(inner.height);
    if room == 0 {
        return;
    }
    let hidden = if lines.len() > room { lines.len() + 1 - room } else { 0 };
    lines.truncate(lines.len() - hidden);
    let shown = lines.iter().enumerate().map(|(position, line)| {
        let marked = position > 0 && Some(position - 1) == selected;
        text_line(line, marked)
    });
    let mut shown: Vec<TextLine> = shown.collect();
    if hidden > 0 {
        shown.push(TextLine::styled(format!("  … {hidden} more"), style(Tone::Faint)));
    }
    frame.render_widget(Paragraph::new(shown), inner);
}

fn text_line(line: &Line, marked: bool) -> TextLine<'static> {
    let mark = if marked { "▸ " } else { "  " };
    let emphasis = if marked { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
    let cells = line.iter().map(|cell| Span::styled(cell.text.clone(), style(cell.tone).patch(emphasis)));
    TextLine::from_iter(std::iter::once(Span::styled(mark, emphasis)).chain(cells))
}

/// Wake-up, execution and exchange of the selected process beside each other, and what it was
/// granted.
fn draw_pictures(frame: &mut Frame, area: Rect, process: &ProcessView) {
    let (granted, missing) = processes::rights_in_words(process);
    let block = section(process.name());
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let areas = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).split(inner);
    let mut words = vec![Span::raw(format!("  granted: {}", or_nothing(&granted)))];
    if !missing.is_empty() {
        words.push(Span::styled(format!("   not: {}", missing.join(", ")), style(Tone::Faint)));
    }
    frame.render_widget(TextLine::from(words), areas[0]);
    let histograms =
        [("wake-up", &process.latency), ("execution", &process.execution), ("exchange", &process.exchange)];
    let measured: Vec<_> = histograms.into_iter().filter(|(_, histogram)| histogram.count() > 0).collect();
    let parts = vec![Constraint::Fill(1); measured.len()];
    let places = Layout::horizontal(parts).horizontal_margin(2).spacing(3).split(areas[1]);
    for ((name, histogram), place) in measured.into_iter().zip(places.iter()) {
        let rows = Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).split(*place);
        let columns = usize::from(place.width);
        let heights = histogram::heights(histogram, columns);
        let picture = Sparkline::default().data(&heights).style(Style::new().fg(Color::Cyan));
        frame.render_widget(picture, rows[0]);
        let axis = histogram::axis(histogram, columns.saturating_sub(name.len() + 1));
        frame.render_widget(TextLine::styled(format!("{name} {axis}"), style(Tone::Faint)), rows[1]);
    }
}

fn or_nothing(names: &[&str]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// The wake-ups of the selected process, at the right end of the line above a table.
fn draw_small_picture(frame: &mut Frame, area: Rect, process: &ProcessView) {
    let title = format!(" {} wake-up ", process.name());
    let columns = SMALL_PICTURE_COLUMNS + title.len() as u16;
    if process.latency.count() == 0 || area.width < columns + 30 || area.height == 0 {
        return;
    }
    let place = Rect::new(area.right() - columns - 1, area.y, columns, 1);
    let areas = Layout::horizontal([Constraint::Length(title.len() as u16), Constraint::Min(0)]).split(place);
    frame.render_widget(TextLine::raw(title), areas[0]);
    let heights = histogram::heights(&process.latency, usize::from(areas[1].width));
    let picture = Sparkline::default().data(&heights).style(Style::new().fg(Color::Cyan));
    frame.render_widget(ratatui::widgets::Clear, areas[1]);
    frame.render_widget(picture, areas[1]);
}

pub fn section(title: &str) -> Block<'static> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    Block::new().borders(Borders::TOP).border_style(style(Tone::Faint)).title(Span::styled(format!(" {title} "), bold))
}

pub fn style(tone: Tone) -> Style {
    match tone {
        Tone::Plain => Style::new(),
        Tone::Good => Style::new().fg(Color::Green),
        Tone::Warning => Style::new().fg(Color::Yellow),
        Tone::Bad => Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
        Tone::Faint => Style::new().add_modifier(Modifier::DIM),
    }
}

pub struct App {
    name: RegionName,
    readiness: Readiness,
    /// `None` while there is no run.
    watched: Option<Watched>,
    look: Look,
    /// What to say instead of the statement about real time: the run is over.
    banner: Option<String>,
    selected: usize,
}

impl App {
    pub fn new(region: Region, readiness: Readiness) -> Self {
        let name = region.name().clone();
        let mut watched = Watched::new(region, readiness.clone());
        let look = watched.look();
        // The dynamics are what most people want to see first.
        let selected = look.processes.len().saturating_sub(1);
        Self { name, readiness, watched: Some(watched), look, banner: None, selected }
    }

    fn wait_for_the_next(&mut self) {
        self.watched = None;
        match Region::observe(&self.name) {
            Ok(region) => {
                self.watched = Some(Watched::new(region, self.readiness.clone()));
                self.banner = None;
            }
            Err(RegionError::NotFound { .. }) => {
                let instance = self.name.instance();
                self.banner =
                    Some(format!("the run is over: waiting for the next one of instance {instance:?}; q ends"));
            }
            Err(error) => self.banner = Some(error.to_string()),
        }
    }
}

impl Picture for App {
    fn look_again(&mut self) {
        if self.watched.as_ref().is_none_or(|watched| watched.region.is_removed()) {
            self.wait_for_the_next();
        }
        if let Some(watched) = &mut self.watched {
            self.look = watched.look();
        }
    }

    fn draw(&self, frame: &mut Frame, interval_ms: u64) {
        draw(frame, self, interval_ms);
    }

    fn selection(&mut self) -> (&mut usize, usize) {
        (&mut self.selected, self.look.processes.len())
    }
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
