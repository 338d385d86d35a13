//! What page and gateway say to each other in JSON; the binary messages are in `state_frame` and
//! `batch`.

use serde::{Deserialize, Serialize};

/// Most signals that one client may watch.
pub const WATCHED_MAX: usize = 32;

/// From the page.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Request {
    /// Comes first.
    Hello {
        /// May be empty.
        #[serde(default)]
        token: String,
    },
    /// Every step of these signals from now on.
    Watch {
        /// Comes back with the answers.
        id: u32,
        /// Names.
        signals: Vec<String>,
    },
    /// All messages of a stream up to this count have come.
    Ack {
        /// Which.
        stream: Stream,
        /// The count of the last one.
        count: u32,
    },
    /// The driver's seat.
    Seat {
        /// What is asked for.
        action: SeatAction,
    },
    /// What the driver does.
    Drive(Drive),
    /// How fast the run goes.
    Run(RunControl),
}

/// The binary streams.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// The newest poses and gauges.
    State,
    /// Every step of the watched signals.
    Scope,
}

/// What can be asked of the seat.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum SeatAction {
    /// Drive.
    Take,
    /// Let go: the vehicle stops safely.
    Release,
    /// The run's own driver drives again.
    HandBack,
}

/// What the driver does.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
pub struct Drive {
    /// Positive to the left.
    pub steering_angle_rad: f64,
    /// 0 to 1.
    pub throttle_ratio: f64,
    /// 0 to 1.
    pub brake_ratio: f64,
    /// −1 reverse, 0 neutral; none leaves it to the gearbox.
    #[serde(default)]
    pub gear: Option<i8>,
}

/// What can be asked of the run; what is left out stays as it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
pub struct RunControl {
    /// 0 held, 1 the run's own pace.
    #[serde(default)]
    pub pace_ratio: Option<f64>,
    /// A single step of a run that is held.
    #[serde(default)]
    pub step: bool,
}

/// Who has the seat, as one client sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Holder {
    /// The run's own driver.
    Run,
    /// This client.
    You,
    /// Another client.
    Other,
    /// Somebody let go: the vehicle stops.
    None,
}

/// A signal as a client learns of it.
#[derive(Clone, Debug, Serialize)]
pub struct SignalText {
    /// Number in the library.
    pub number: u64,
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Frame of reference.
    pub frame: &'static str,
    /// Range of valid values.
    pub range: String,
    /// What it means.
    pub description: String,
    /// The process that writes it.
    pub owner: &'static str,
}

impl SignalText {
    /// An entry of the dictionary.
    pub fn new(entry: &shm_layout::signals::Entry) -> Self {
        Self {
            number: entry.number,
            name: entry.name.clone(),
            unit: entry.unit.clone(),
            frame: entry.frame,
            range: entry.range.clone(),
            description: entry.description.clone(),
            owner: entry.owner().name(),
        }
    }
}

/// To the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// Comes first.
    Welcome {
        /// Whether the token is right.
        may_drive: bool,
        /// Number of this client.
        client: u64,
    },
    /// What is watched from now on.
    Watching {
        /// Of the request.
        id: u32,
        /// In the order of the columns.
        signals: Vec<SignalText>,
    },
    /// Who drives.
    Seat {
        /// Who.
        holder: Holder,
    },
    /// How fast the run goes.
    Run {
        /// 0 held, 1 its own pace.
        pace_ratio: f64,
    },
    /// Something was not done.
    Error {
        /// Why.
        message: String,
    },
}

impl Reply {
    /// As JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_as_documented() {
        let read = |text: &str| serde_json::from_str::<Request>(text);
        assert_eq!(read(r#"{"type":"hello"}"#).unwrap(), Request::Hello { token: String::new() });
        assert_eq!(
            read(r#"{"type":"ack","stream":"scope","count":7}"#).unwrap(),
            Request::Ack { stream: Stream::Scope, count: 7 }
        );
        assert_eq!(
            read(r#"{"type":"seat","action":"hand_back"}"#).unwrap(),
            Request::Seat { action: SeatAction::HandBack }
        );
        let drive = r#"{"type":"drive","steering_angle_rad":0.5,"throttle_ratio":1,"brake_ratio":0,"gear":-1}"#;
        let expected = Drive { steering_angle_rad: 0.5, throttle_ratio: 1.0, brake_ratio: 0.0, gear: Some(-1) };
        assert_eq!(read(drive).unwrap(), Request::Drive(expected));
        let run = |text: &str| match read(text) {
            Ok(Request::Run(control)) => (control.pace_ratio, control.step),
            other => panic!("{other:?}"),
        };
        assert_eq!(run(r#"{"type":"run","pace_ratio":0.1}"#), (Some(0.1), false));
        assert_eq!(run(r#"{"type":"run","step":true}"#), (None, true));
        for wrong in
            ["", "{}", "[]", r#"{"type":"fly"}"#, r#"{"type":"ack","stream":"x","count":1}"#, "{\"type\":\"drive\"}"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
