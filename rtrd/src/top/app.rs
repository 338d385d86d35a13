//! The live view of `rtrd top`.

use ratatui::Frame;
use shm_layout::{Region, RegionError, RegionName};

use super::live::Picture;
use super::look::{Look, Readiness, Watched};
use super::screen::draw;

pub struct App {
    name: RegionName,
    readiness: Readiness,
    /// `None` while there is no run.
    watched: Option<Watched>,
    pub look: Look,
    /// What to say instead of the statement about real time: the run is over.
    pub banner: Option<String>,
    pub selected: usize,
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
#[path = "app_tests.rs"]
mod tests;
