//! A run with its page, and clients of it: what a browser does, in plain sockets.
#![expect(missing_docs, reason = "the names say what the parts are")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use shm_layout::Reader;
use shm_layout::blocks::{self, GATEWAY_HEALTH, VehicleState};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket, client};

use crate::live::{LiveRun, eventually, until};
use crate::programs::instance;

/// The dynamics among the processes of a run.
pub const DYNAMICS: usize = 2;

/// A run with its page.
pub struct Page {
    pub run: LiveRun,
    pub instance: String,
    pub vehicle: Reader<VehicleState>,
    pub host: String,
    pub token: String,
}

impl Page {
    /// A vehicle on the circuit, and the page of its gateway.
    pub fn open(name: &str, arguments: &[&str]) -> Self {
        let instance = instance(name);
        let run = LiveRun::start(&instance, &[arguments, &["--listen", "127.0.0.1:0"]].concat());
        let vehicle = run.region().reader(blocks::VEHICLE);
        let (host, token) = address(&instance);
        Self { run, instance, vehicle, host, token }
    }

    pub fn http(&self, path: &str, headers: &str) -> String {
        http(&self.host, &format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"))
    }

    pub fn json(&self, path: &str) -> Value {
        let answer = self.http(path, &format!("Host: {}\r\n", self.host));
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        serde_json::from_str(body).expect("JSON")
    }

    pub fn client(&self, token: &str) -> Client {
        let mut client = Client::connect(&self.host);
        client.say(&json!({ "type": "hello", "token": token }));
        client
    }

    pub fn driver(&self) -> Client {
        self.client(&self.token)
    }

    pub fn gateway_pid(&self) -> u64 {
        let mut health = self.run.region().reader(GATEWAY_HEALTH);
        eventually("the gateway reports", || health.latest().map(|snapshot| snapshot.value.pid))
    }

    pub fn speed_m_s(&mut self) -> f64 {
        self.run.motion().velocity_m_s.x
    }

    /// The step that comes next and the wake-ups of the dynamics, from one report of theirs.
    pub fn progress(&mut self) -> (u64, u64) {
        let health = self.run.health(DYNAMICS);
        (health.stamp.step, health.wakeups)
    }

    /// The same when they have woken so many times more; the client takes its messages meanwhile.
    pub fn progress_after(&mut self, wakeups: u64, client: &mut Client) -> (u64, u64) {
        let (_, before) = self.progress();
        eventually("the dynamics wake", || {
            client.message();
            Some(self.progress()).filter(|(_, now)| *now >= before + wakeups)
        })
    }

    /// Waits until no step is made any more; the one at which the run is held.
    pub fn held_at(&mut self, client: &mut Client) -> u64 {
        eventually("the run is held", || {
            let (step, _) = self.progress();
            Some(step).filter(|step| self.progress_after(200, client).0 == *step)
        })
    }

    pub fn safe_stop(&mut self) -> bool {
        self.vehicle.latest().is_some_and(|snapshot| snapshot.value.safe_stop == 1)
    }

    pub fn throttle_ratio(&mut self) -> f64 {
        self.vehicle.latest().map_or(f64::NAN, |snapshot| snapshot.value.input.throttle_ratio)
    }
}

/// Host and token of an instance's page, from the file that `rtrd view` reads, once somebody
/// listens there.
pub fn address(instance: &str) -> (String, String) {
    let path = service::page_file(instance);
    eventually("the page has an address", || {
        let page = std::fs::read_to_string(&path).ok()?;
        let (host, token) = page.trim().strip_prefix("http://")?.split_once("/#t=")?;
        TcpStream::connect(host).ok()?;
        Some((host.to_owned(), token.to_owned()))
    })
}

pub fn http(host: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("the gateway listens");
    stream.write_all(request.as_bytes()).expect("a request");
    stream.set_read_timeout(Some(Duration::from_secs(2))).expect("a time limit");
    let mut answer = Vec::new();
    // A refused request may break the connection, and one for a WebSocket may leave it open.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// One WebSocket.
pub struct Client {
    pub socket: WebSocket<TcpStream>,
}

impl Client {
    pub fn connect(host: &str) -> Self {
        let stream = TcpStream::connect(host).expect("the gateway listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        let request = format!("ws://{host}/ws").into_client_request().expect("a request");
        Self { socket: client(request, stream).expect("a WebSocket").0 }
    }

    pub fn say(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).expect("the gateway listens");
    }

    pub fn seat(&mut self, action: &str) {
        self.say(&json!({ "type": "seat", "action": action }));
    }

    pub fn pace(&mut self, pace_ratio: f64) {
        self.say(&json!({ "type": "run", "pace_ratio": pace_ratio }));
    }

    pub fn drive(&mut self, steering_angle_rad: f64, throttle_ratio: f64) {
        let drive = json!({ "type": "drive", "steering_angle_rad": steering_angle_rad,
            "throttle_ratio": throttle_ratio, "brake_ratio": 0.0 });
        self.say(&drive);
    }

    /// The next message; a binary one is acknowledged.
    pub fn message(&mut self) -> Message {
        let message = self.socket.read().expect("a message");
        if let Message::Binary(bytes) = &message {
            let stream = if word(bytes, 0) == 1 { "state" } else { "scope" };
            self.say(&json!({ "type": "ack", "stream": stream, "count": word(bytes, 4) }));
        }
        message
    }

    /// The next text of a type.
    pub fn text(&mut self, kind: &str) -> Value {
        loop {
            if let Message::Text(text) = self.message() {
                let value: Value = serde_json::from_str(&text).expect("JSON");
                if value["type"] == kind {
                    return value;
                }
            }
        }
    }

    /// The next binary message of a kind.
    pub fn binary(&mut self, kind: u32) -> Vec<u8> {
        loop {
            if let Message::Binary(bytes) = self.message()
                && word(&bytes, 0) == kind
            {
                return bytes.to_vec();
            }
        }
    }

    /// Drives until something is seen.
    pub fn drive_until(&mut self, what: &str, drive: (f64, f64), mut seen: impl FnMut() -> bool) {
        until(what, || {
            self.drive(drive.0, drive.1);
            self.message();
            seen()
        });
    }

    /// Reads until the gateway ends it; the code with which it did.
    pub fn closed_with(&mut self) -> u16 {
        loop {
            match self.socket.read() {
                Ok(Message::Close(frame)) => return frame.map_or(0, |frame| frame.code.into()),
                Ok(_) => {}
                Err(error) => panic!("no reason was given: {error}"),
            }
        }
    }
}

pub fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

pub fn doubles(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks(8).map(|eight| f64::from_le_bytes(eight.try_into().expect("eight bytes"))).collect()
}

pub fn singles(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes")).into()).collect()
}
