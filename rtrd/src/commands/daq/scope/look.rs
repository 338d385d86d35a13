//! One look after the other at `/acquisition/`.

use shm_layout::blocks::{Acquisition, ChannelStatus, SourceStatus};
use shm_layout::clock::monotonic_ns;

use super::super::channels::{Channels, Name};
use super::tables::Past;

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
