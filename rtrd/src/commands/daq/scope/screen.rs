//! The look on a terminal: sources, channels, and a large picture of the selected channel.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::Line as TextLine;
use ratatui::widgets::Sparkline;
use shm_layout::blocks::{Acquisition, ChannelStatus, SourceStatus};
use shm_layout::clock::monotonic_ns;

use super::super::channels::{Channels, Name};
use super::tables::{self, Past};
use crate::top::live::{Picture, draw_footer, heading};
use crate::top::screen::{draw_table, section, style};
use crate::top::table::Tone;

/// Rows of the picture, with its title and its axis; shown where there is room.
const PICTURE_ROWS: u16 = 10;

pub struct App {
    scope: Scope,
    look: Look,
    selected: usize,
    is_over: bool,
}

impl App {
    pub fn new(channels: Channels) -> Self {
        Self { scope: Scope::new(channels), look: Look::default(), selected: 0, is_over: false }
    }
}

impl Picture for App {
    /// When the run ends, its last picture stays.
    fn look_again(&mut self) {
        self.is_over = self.scope.channels.region.is_removed() && self.scope.channels.find_next().is_err();
        if !self.is_over {
            self.look = self.scope.look();
        }
    }

    fn draw(&self, frame: &mut Frame, interval_ms: u64) {
        draw(frame, self, interval_ms);
    }

    fn selection(&mut self) -> (&mut usize, usize) {
        (&mut self.selected, self.look.channels.len())
    }
}

fn draw(frame: &mut Frame, app: &App, interval_ms: u64) {
    let look = &app.look;
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
    draw_heading(frame, areas[0], app);
    draw_table(frame, areas[1], "sources", &tables::sources(look), None);
    draw_table(frame, areas[2], "channels", &tables::channels(look), Some(app.selected));
    if let Some(channel) = look.channels.get(app.selected).filter(|_| picture) {
        draw_picture(frame, areas[3], channel, interval_ms);
    }
    draw_footer(frame, areas[4], "channel", interval_ms);
}

fn draw_heading(frame: &mut Frame, area: Rect, app: &App) {
    let (text, tone) = if app.is_over {
        let instance = &app.look.instance;
        (format!("the run is over: waiting for the next one of instance {instance:?}; q ends"), Tone::Bad)
    } else {
        (super::heading(&app.look), Tone::Plain)
    };
    frame.render_widget(heading("rtrd daq scope", &text, tone), area);
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

#[derive(Clone, Debug, Default)]
pub struct Look {
    pub instance: String,
    /// The acquisition file, if it is known.
    pub file: Option<String>,
    pub now_ns: u64,
    /// Publications per second; `None` at the first look.
    pub publications_per_s: Option<f64>,
    /// `None` before the first publication.
    pub step: Option<u64>,
    pub sources: Vec<SourceLook>,
    pub channels: Vec<ChannelLook>,
}

#[derive(Clone, Debug)]
pub struct SourceLook {
    pub name: String,
    pub status: SourceStatus,
    pub samples_per_s: Option<f64>,
}

#[derive(Clone, Debug)]
pub struct ChannelLook {
    pub name: Name,
    pub status: ChannelStatus,
    /// Time since it was measured; `None` if it never was.
    pub age_ns: Option<u64>,
    pub past: Past,
}

pub struct Scope {
    pub channels: Channels,
    past: Vec<Past>,
    before: Option<(u64, Box<Acquisition>)>,
}

impl Scope {
    pub fn new(channels: Channels) -> Self {
        Self { channels, past: Vec::new(), before: None }
    }

    pub fn look(&mut self) -> Look {
        let now_ns = monotonic_ns();
        let instance = self.channels.region.name().instance().to_owned();
        let file = self.channels.file.clone();
        let Some(news) = self.channels.reader.latest().map(|snapshot| Box::new(*snapshot.value)) else {
            return Look { instance, file, now_ns, ..Look::default() };
        };
        let per_s = |count: fn(&Acquisition, usize) -> u64, index: usize| {
            let (then_ns, before) = self.before.as_ref()?;
            let passed_s = now_ns.saturating_sub(*then_ns) as f64 * 1e-9;
            let counted = count(&news, index).saturating_sub(count(before, index));
            (passed_s > 0.0).then(|| counted as f64 / passed_s)
        };
        let source_count = (news.source_count as usize).min(news.sources.len());
        let names = self.channels.sources(source_count).into_iter().enumerate();
        let sources = names.map(|(index, name)| SourceLook {
            name,
            status: news.sources[index],
            samples_per_s: per_s(|block, index| block.sources[index].blocks, index),
        });
        let sources = sources.collect();
        let publications_per_s = per_s(|block, _| block.stamp.step, 0);
        let channel_count = (news.channel_count as usize).min(news.channels.len());
        self.past.resize_with(channel_count, Past::default);
        for (past, status) in self.past.iter_mut().zip(&news.channels) {
            past.push(status.value);
        }
        let names = self.channels.names(channel_count).into_iter().enumerate();
        let channels = names.map(|(index, name)| {
            let status = news.channels[index];
            ChannelLook {
                name,
                status,
                age_ns: (status.sample_ns > 0).then(|| now_ns.saturating_sub(status.sample_ns)),
                past: self.past[index].clone(),
            }
        });
        let look = Look {
            instance,
            file,
            now_ns,
            publications_per_s,
            step: Some(news.stamp.step),
            sources,
            channels: channels.collect(),
        };
        self.before = Some((now_ns, news));
        look
    }
}
