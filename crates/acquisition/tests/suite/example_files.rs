//! The shipped acquisition files of hardware are read as a whole; none of the hardware has to be
//! there.

use acquisition::plan::Plan;

fn kinds(name: &str) -> Vec<(String, usize)> {
    let plan = Plan::load(name, None, &[]).unwrap_or_else(|error| panic!("{error}"));
    plan.sources.iter().map(|source| (source.kind.clone(), plan.channels.len())).collect()
}

#[test]
fn examples_of_hardware_are_read() {
    assert_eq!(kinds("can"), [("can".to_owned(), 3)]);
    assert_eq!(kinds("wheel-evdev"), [("evdev".to_owned(), 4)]);
    assert_eq!(kinds("iio"), [("iio".to_owned(), 2)]);
    assert_eq!(kinds("comedi"), [("comedi".to_owned(), 2)]);
}

#[test]
fn an_example_has_three_devices_for_one_vehicle() {
    let three = ["evdev", "can", "iio"].map(|kind| (kind.to_owned(), 8));
    assert_eq!(kinds("wheel-can-iio"), three);
}
