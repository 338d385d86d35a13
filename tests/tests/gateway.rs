//! The gateway, seen through its sockets: what it shows, who may drive, and what hostile clients
//! achieve.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use shm_layout::Role;
use shm_layout::blocks::{self, SEAT_LEFT};
use system_tests::live::{eventually, is_alive, send, until};
use system_tests::page::{Client, DYNAMICS, Page, address, doubles, http, singles, word};
use system_tests::programs::TextFile;
use tungstenite::Message;

#[test]
fn a_run_is_shown_with_its_bodies_and_every_step_of_a_signal() {
    let page = Page::open("gateway-shown", &[]);
    let facts = page.json("/api/run");
    let (bodies, wheels) = (14, 4);
    assert_eq!(
        (&facts["kind"], &facts["bodies"], &facts["wheels"]),
        (&json!("vehicle"), &json!(bodies), &json!(wheels))
    );
    let gauges = facts["gauges"].as_array().expect("gauges").len();
    assert_eq!(page.json("/api/scene")["bodies"].as_array().expect("bodies").len(), bodies);
    let signals = page.json("/api/signals");
    assert!(signals.as_array().expect("signals").iter().any(|signal| signal["name"] == "speed_km_h"));

    let mut client = page.client("");
    assert_eq!(client.text("welcome")["may_drive"], json!(false));
    client.say(&json!({ "type": "watch", "id": 7, "signals": ["speed_km_h", "kinematics.stamp.step", "nonsense"] }));
    let watching = client.text("watching");
    assert_eq!((&watching["id"], watching["signals"].as_array().expect("signals").len()), (&json!(7), 2));
    assert!(client.text("error")["message"].as_str().expect("a message").contains("nonsense"));

    // The chassis moves, and every orientation is a rotation.
    let mut x_m = Vec::new();
    for _ in 0..30 {
        let state = client.binary(1);
        assert_eq!(state.len(), 24 + 4 * (7 * bodies + 8 * wheels + gauges));
        let numbers = singles(&state[24..]);
        x_m.push(numbers[0]);
        for body in numbers[..7 * bodies].chunks(7) {
            let norm: f64 = body[3..].iter().map(|part| part * part).sum();
            assert!((norm - 1.0).abs() < 1e-5, "{body:?}");
        }
    }
    assert!(x_m.windows(2).all(|pair| pair[1] >= pair[0]) && x_m[29] > x_m[0] + 1.0, "{x_m:?}");

    // Steps follow one another, but for those that the message says are missing.
    let (mut last, mut rows) = (None, 0);
    while rows < 500 {
        let scope = client.binary(2);
        let (count, columns, lost) = (word(&scope, 8) as usize, word(&scope, 12) as usize, word(&scope, 16));
        assert_eq!((columns, word(&scope, 20)), (2, 7));
        let times_s = doubles(&scope[24..24 + 8 * count]);
        let steps = &singles(&scope[24 + 8 * count..])[count..];
        for (index, (time_s, step)) in times_s.iter().zip(steps).enumerate() {
            // Simulated time is that of the step's beginning: the first step begins at 0.
            assert!((time_s - (step - 1.0) * 1e-3).abs() < 1e-6, "{time_s} {step}");
            let missing = if index == 0 { f64::from(lost) } else { 0.0 };
            assert!(last.is_none_or(|last| *step == last + 1.0 + missing), "{last:?} {step} {lost}");
            last = Some(*step);
        }
        rows += count;
    }
    let status = client.text("status");
    let names: Vec<&Value> = status["processes"].as_array().expect("processes").iter().map(|it| &it["name"]).collect();
    assert_eq!(names, [&json!("daq"), &json!("subsystem"), &json!("dynamics")]);
    assert!(status["gateway"]["memory_kib"].as_u64().expect("memory") > 0);
}

#[test]
fn who_has_the_seat_drives_and_who_goes_is_stopped_for() {
    let mut page = Page::open("gateway-driven", &[]);
    let mut client = page.driver();
    assert_eq!(client.text("welcome")["may_drive"], json!(true));
    assert_eq!(client.text("seat")["holder"], json!("run"));
    client.seat("take");
    assert_eq!(client.text("seat")["holder"], json!("you"));
    let begun = page.speed_m_s();
    client.drive_until("the vehicle is faster", (0.0, 1.0), || page.speed_m_s() > begun + 1.0);
    assert_eq!(page.throttle_ratio(), 1.0);
    let turned = |page: &mut Page| page.vehicle.latest().map_or(0.0, |it| it.value.input.steering_angle_rad);
    client.drive_until("the wheel turns", (1.0, 0.0), || (turned(&mut page) - 1.0).abs() < 0.05);
    assert!(!page.safe_stop());

    // Another one may look on, and take the seat only when it is empty.
    let mut other = page.driver();
    assert_eq!(other.text("seat")["holder"], json!("other"));
    other.seat("take");
    assert!(other.text("error")["message"].as_str().expect("a message").contains("somebody else drives"));

    drop(client);
    assert_eq!(other.text("seat")["holder"], json!("none"));
    until("the vehicle stops by itself", || page.safe_stop());
    // Walking pace: with a gear engaged an automatic gearbox pushes against a brake of 0.3.
    until("it has all but stopped", || page.speed_m_s().abs() < 0.5);
    other.seat("hand_back");
    until("the run's own driver drives on", || !page.safe_stop() && page.speed_m_s() > 1.0);
}

#[test]
fn a_driver_who_falls_silent_is_stopped_for_and_a_killed_gateway_harms_nobody() {
    let mut page = Page::open("gateway-killed", &[]);
    let pids = page.run.pids();
    let mut silent = page.driver();
    silent.seat("take");
    silent.drive_until("somebody drives", (0.0, 0.5), || page.throttle_ratio() == 0.5);
    // The page is there, and says nothing any more.
    until("the vehicle stops by itself", || page.safe_stop());
    silent.seat("take");
    silent.drive_until("the same one drives on", (0.0, 0.5), || page.throttle_ratio() == 0.5 && !page.safe_stop());

    let killed = page.gateway_pid();
    send(killed, Signal::SIGKILL);
    until("the vehicle stops by itself", || page.safe_stop());
    until("another gateway runs", || page.gateway_pid() != killed && is_alive(page.gateway_pid()));
    assert_eq!(page.run.pids(), pids, "a process died with the gateway");
    (page.host, page.token) = address(&page.instance);
    let mut client = eventually("a client of the new gateway", || {
        (page.token, page.host) = {
            let (host, token) = address(&page.instance);
            (token, host)
        };
        Some(page.driver())
    });
    assert_eq!(client.text("seat")["holder"], json!("none"));
    client.seat("hand_back");
    until("the run's own driver drives on", || !page.safe_stop());
}

#[test]
fn strangers_are_refused_and_change_nothing() {
    let mut page = Page::open("gateway-strangers", &[]);
    let host = page.host.clone();
    let (_, port) = host.split_once(':').expect("a port");
    let own = format!("Host: {host}\r\n");
    for (headers, expected) in [
        (own.clone(), 200),
        (String::new(), 421),
        (format!("Host: attacker.example:{port}\r\n"), 421),
        ("Host: 127.0.0.1\r\n".to_owned(), 421),
        (format!("{own}Origin: http://attacker.example\r\n"), 403),
        (format!("{own}Origin: null\r\n"), 403),
        (format!("{own}Authorization: Bearer wrong\r\n"), 401),
    ] {
        let answer = page.http("/api/run", &headers);
        assert!(answer.starts_with(&format!("HTTP/1.1 {expected}")), "{headers}: {answer}");
    }
    // A page of another origin gets no WebSocket; the answer has an end where the connection has one.
    let upgrade = format!(
        "{own}Origin: http://attacker.example\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    );
    assert!(http(&host, &format!("GET /ws HTTP/1.1\r\n{upgrade}\r\n")).starts_with("HTTP/1.1 403"));

    assert_eq!(page.client("wrong").closed_with(), 4401);
    let mut mute = Client::connect(&host);
    assert_eq!(mute.closed_with(), 4408);
    let mut looker = page.client("");
    for request in [
        json!({ "type": "seat", "action": "take" }),
        json!({ "type": "seat", "action": "hand_back" }),
        json!({ "type": "run", "pace_ratio": 0 }),
        json!({ "type": "run", "step": true }),
    ] {
        looker.say(&request);
        assert!(looker.text("error")["message"].as_str().expect("a message").contains("token"));
    }
    looker.drive(0.0, 1.0);
    let mut overrides = page.run.region().reader(blocks::OVERRIDES);
    let published = overrides.latest().expect("published").value;
    assert_eq!((published.seat, published.pace_ratio, published.steps_asked), (0, 1.0, 0));
    assert!(!page.safe_stop());
}

#[test]
fn rubbish_floods_and_silent_readers_cost_nobody_anything() {
    let mut page = Page::open("gateway-hostile", &[]);
    let pids = page.run.pids();
    let gateway = page.gateway_pid();
    let memory_kib = |page: &Page| page.client("").text("status")["gateway"]["memory_kib"].as_u64().expect("memory");
    // A client of every kind has been there once.
    let warm = memory_kib(&page);

    let mut rubbish = page.driver();
    let nonsense =
        ["", "{", "[]", "{\"type\":\"seat\"}", "{\"type\":\"drive\",\"throttle_ratio\":\"x\"}", "\u{0}\u{7f}"];
    for text in nonsense.iter().cycle().take(20) {
        rubbish.socket.send(Message::text(*text)).expect("the gateway listens");
    }
    assert_eq!(rubbish.closed_with(), 4400);
    // Numbers that no driver gives do not reach the models out of range.
    let mut wild = page.driver();
    wild.seat("take");
    wild.drive_until("the throttle is at its end", (1e308, 1e300), || page.throttle_ratio() == 1.0);
    let angle = page.vehicle.latest().map_or(0.0, |it| it.value.input.steering_angle_rad);
    assert!(angle.is_finite() && angle.abs() <= 21.0, "{angle}");
    wild.seat("hand_back");

    // Too large a message, half a handshake, and a crowd that comes and goes.
    let mut large = page.driver();
    let _ = large.socket.send(Message::text("x".repeat(100_000)));
    let mut half = TcpStream::connect(&page.host).expect("the gateway listens");
    half.write_all(b"GET /ws HTTP/1.1\r\nHost: ").expect("half a request");
    for number in 0..2_000 {
        match number % 3 {
            0 => drop(TcpStream::connect(&page.host).expect("the gateway listens")),
            1 => drop(Client::connect(&page.host)),
            _ => drop(page.client("")),
        }
    }

    // One that takes nothing: what is newest does not pile up for it.
    let mut stuck = page.client("");
    stuck.say(&json!({ "type": "watch", "id": 1, "signals": ["speed_km_h", "x_m", "y_m"] }));
    let began = Instant::now();
    let mut reader = page.client("");
    while began.elapsed() < Duration::from_secs(3) {
        reader.message();
    }
    let grown = memory_kib(&page).saturating_sub(warm);
    // Buffers of a few sockets; an unbounded queue of the three seconds alone would be more.
    assert!(grown < 16 * 1024, "{grown} KiB more than {warm} KiB");
    assert_eq!(page.run.pids(), pids, "a process died");
    assert_eq!(page.gateway_pid(), gateway, "the gateway died");
    assert!(!page.safe_stop());
}

#[test]
fn a_seat_that_was_left_is_in_the_region_for_all_to_see() {
    let page = Page::open("gateway-left", &["--vehicle", "passenger-car"]);
    let mut client = page.driver();
    client.seat("take");
    client.text("seat");
    client.seat("release");
    let mut overrides = page.run.region().reader(blocks::OVERRIDES);
    until("the seat is empty", || overrides.latest().is_some_and(|it| it.value.seat == SEAT_LEFT));
    assert_eq!(blocks::OVERRIDES.entry().writer, Role::Gateway);
    let output = page.run.finish();
    assert!(output.status.success(), "{output:?}");
    assert!(!service::page_file(&page.instance).exists(), "the address of a page that is gone");
}

#[test]
fn a_plant_has_a_page_without_bodies() {
    let mut page = Page::open("gateway-plant", &["--scenario", "tank-level"]);
    let facts = page.json("/api/run");
    assert_eq!((&facts["kind"], &facts["bodies"]), (&json!("plant"), &json!(0)));
    let gauges = facts["gauges"].as_array().expect("gauges");
    let level = gauges.iter().position(|gauge| gauge == "level_cm").expect("the level");
    let mut client = page.client("");
    let state = singles(&client.binary(1)[24..]);
    assert_eq!(state.len(), gauges.len());
    assert!((0.0..100.0).contains(&state[level]), "{state:?}");

    let mut client = page.driver();
    assert_eq!(client.text("welcome")["may_drive"], json!(true));
    client.seat("take");
    assert!(client.text("error")["message"].as_str().expect("a message").contains("no driver's seat"));
    client.pace(0.0);
    let step = page.held_at(&mut client);
    drop(client);
    page.run.wait_for_step_after(step);
}

/// Steps are held against wake-ups and not against time: the machine may be busy.
#[test]
fn a_run_is_held_goes_step_by_step_in_slow_motion_and_on_when_its_holder_goes() {
    // A gateway that has no CPU for a while is not to let the run go on in the middle of the test.
    let config = TextFile::new("[subsystem]\ndriver_timeout_ms = 5000\n");
    let mut page = Page::open("gateway-held", &["--config", config.path()]);
    let pids = page.run.pids();
    let mut client = page.driver();
    assert_eq!(client.text("run")["pace_ratio"], json!(1.0));
    client.say(&json!({ "type": "run", "step": true }));
    assert!(client.text("error")["message"].as_str().expect("a message").contains("held"));

    client.pace(0.0);
    assert_eq!(client.text("run")["pace_ratio"], json!(0.0));
    let held = page.held_at(&mut client);
    assert_eq!(page.progress_after(500, &mut client).0, held);
    let (misses, status) = (page.run.health(DYNAMICS).exchange_misses, page.run.motion().status);

    for _ in 0..3 {
        client.say(&json!({ "type": "run", "step": true }));
    }
    until("three steps are made", || {
        client.message();
        page.progress().0 >= held + 3
    });
    assert_eq!(page.progress_after(500, &mut client).0, held + 3);

    // Another one sees it, and its going changes nothing.
    let mut other = page.driver();
    assert_eq!(other.text("run")["pace_ratio"], json!(0.0));
    drop(other);
    assert_eq!(page.progress_after(200, &mut client).0, held + 3);
    assert_eq!((page.run.health(DYNAMICS).exchange_misses, page.run.motion().status), (misses, status));

    client.pace(0.1);
    until("slow motion begins", || {
        client.message();
        page.progress().0 > held + 3
    });
    let (first_step, first_wakeup) = page.progress();
    let (last_step, last_wakeup) = page.progress_after(1_000, &mut client);
    let (steps, wakeups) = (last_step - first_step, last_wakeup - first_wakeup);
    assert!((10 * steps).abs_diff(wakeups) <= 10, "{steps} steps in {wakeups} periods");

    client.pace(0.0);
    let held = page.held_at(&mut client);
    drop(client);
    page.run.wait_for_step_after(held + 1_000);

    let mut client = page.driver();
    client.pace(0.0);
    let held = page.held_at(&mut client);
    send(page.gateway_pid(), Signal::SIGKILL);
    page.run.wait_for_step_after(held + 1_000);
    assert_eq!(page.run.pids(), pids, "a process died with the gateway");
    assert!(!page.safe_stop(), "held is not silent");
}
