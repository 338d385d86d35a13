//! The look on a terminal: sources, channels, and a large picture of the selected channel.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line as TextLine, Span};
use ratatui::widgets::{Paragraph, Sparkline};

use super::look::{ChannelLook, Look};
use super::{plain, tables};
use crate::top::screen::{draw_table, section, style};
use crate::top::table::Tone;

/// Rows of the picture, with its title and its axis; shown where there is room.
const PICTURE_ROWS: u16 = 10;

/// What is on the screen.
pub struct View<'a> {
    pub look: &'a Look,
    /// Position of the selected channel.
    pub selected: usize,
    pub is_over: bool,
    pub interval_ms: u64,
}

/// Draws everything.
pub fn draw(frame: &mut Frame, view: &View) {
    let look = view.look;
    let sources = look.sources.len() as u16 + 2;
    let channels = look.channels.len() as u16 + 2;
    let height = frame.area().height;
    let picture = height >= 2 + sources + channels + PICTURE_ROWS;
    let areas = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(sources),
        Constraint::Length(if picture { channels } else { height.saturating_sub(sources + 2) }),
        Constraint::Min(0),
        Constraint::Length(1),
    ])
    .split(frame.area());
    draw_heading(frame, areas[0], view);
    draw_table(frame, areas[1], "sources", &tables::sources(look), None);
    draw_table(frame, areas[2], "channels", &tables::channels(look), Some(view.selected));
    if let Some(channel) = look.channels.get(view.selected).filter(|_| picture) {
        draw_picture(frame, areas[3], channel, view.interval_ms);
    }
    draw_footer(frame, areas[4], view.interval_ms);
}

fn draw_heading(frame: &mut Frame, area: Rect, view: &View) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let (text, tone) = if view.is_over {
        let instance = &view.look.instance;
        (format!("the run is over: waiting for the next one of instance {instance:?}; q ends"), Tone::Bad)
    } else {
        (plain::heading(view.look), Tone::Plain)
    };
    let line = TextLine::from(vec![
        Span::styled(" rtrd daq scope ", bold.add_modifier(Modifier::REVERSED)),
        Span::styled(format!(" {text}"), style(tone)),
    ]);
    frame.render_widget(Paragraph::new(line), area);
}

/// The recent past of a channel, with its range and the time that the picture spans.
fn draw_picture(frame: &mut Frame, area: Rect, channel: &ChannelLook, interval_ms: u64) {
    let block = section(&channel.name.name);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let rows = Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).horizontal_margin(2).split(inner);
    let columns = usize::from(rows[0].width);
    let steps = u64::from(rows[0].height) * 8;
    let heights: Vec<Option<u64>> = channel.past.heights(columns, steps);
    let picture = Sparkline::default().data(heights).max(steps.max(1)).style(Style::new().fg(Color::Cyan));
    frame.render_widget(picture, rows[0]);
    let span_s = (columns as u64 * interval_ms) as f64 * 1e-3;
    let range = channel.past.range(columns).map_or_else(String::new, |(least, most)| {
        let unit = &channel.name.unit;
        format!("{} to {} {unit}, ", tables::number(least), tables::number(most))
    });
    let axis = format!("{range}the picture spans {span_s:.1} s");
    frame.render_widget(TextLine::styled(axis, style(Tone::Faint)), rows[1]);
}

fn draw_footer(frame: &mut Frame, area: Rect, interval_ms: u64) {
    let text = format!(" q ends · ↑ ↓ select a channel · looks every {interval_ms} ms, and only reads");
    frame.render_widget(TextLine::styled(text, style(Tone::Faint)), area);
}
