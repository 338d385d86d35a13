//! Writes a `.crg` file in any of the four formats.

use super::content::{Border, Content, Course, Format, Options};
use std::fmt::Write;

/// The bytes of a file. Heights that are not finite are written as missing.
///
/// Modifiers are not written: a road is written where it is.
#[must_use]
pub fn write(content: &Content) -> Vec<u8> {
    let mut bytes = header(content).into_bytes();
    let channels = 1 + channel_names(content).len();
    let mut record = Vec::with_capacity(channels);
    for index in 0..content.records() {
        record.clear();
        values(content, index, &mut record);
        if content.format.is_text() {
            text_record(content.format, &record, &mut bytes);
        } else {
            binary_record(content.format, &record, &mut bytes);
        }
    }
    if !content.format.is_text() {
        let header_length = header(content).len();
        while !(bytes.len() - header_length).is_multiple_of(80) {
            binary_record(content.format, &[f64::NAN], &mut bytes);
        }
    }
    bytes
}

fn header(content: &Content) -> String {
    let mut text = String::from("$CT\n");
    for comment in &content.comments {
        let _ = writeln!(text, "{}", comment.trim_start_matches('$'));
    }
    text.push_str("$\n$ROAD_CRG\n");
    for (name, value) in parameters(content) {
        let _ = writeln!(text, "{name:<25} = {value:.16e}");
    }
    text.push_str("$\n");
    let options = options(&content.options);
    if !options.is_empty() {
        text.push_str("$ROAD_CRG_OPTS\n");
        for (name, value) in options {
            let _ = writeln!(text, "{name:<25} = {value}");
        }
        text.push_str("$\n");
    }
    let _ = writeln!(text, "$KD_DEFINITION\n#:{}", content.format.name());
    let _ = writeln!(text, "U:reference line u,m,{:.6},{:.6}", content.start.u_m, content.increment_m);
    for name in channel_names(content) {
        let _ = writeln!(text, "D:{name}");
    }
    text.push_str("$\n");
    text.push_str(&"$".repeat(72));
    text.push('\n');
    text
}

fn parameters(content: &Content) -> Vec<(&'static str, f64)> {
    let last = content.records().saturating_sub(1) as f64;
    let start = &content.start;
    let mut list = vec![
        ("reference_line_start_u", start.u_m),
        ("reference_line_end_u", start.u_m + last * content.increment_m),
        ("reference_line_increment", content.increment_m),
        ("long_section_v_right", content.v_m[0]),
        ("long_section_v_left", content.v_m[content.v_m.len() - 1]),
        ("reference_line_start_x", start.x_m),
        ("reference_line_start_y", start.y_m),
        ("reference_line_start_z", start.z_m),
    ];
    if content.course == Course::Straight {
        list.push(("reference_line_start_phi", start.heading_rad));
    }
    if content.slopes.is_none() {
        list.push(("reference_line_start_s", start.slope));
    }
    if content.bankings.is_none() {
        list.push(("reference_line_start_b", start.banking));
    }
    if let Some([x, y]) = content.end_xy_m {
        list.extend([("reference_line_end_x", x), ("reference_line_end_y", y)]);
    }
    if let Some(z) = content.end_z_m {
        list.push(("reference_line_end_z", z));
    }
    list
}

/// The options that differ from the defaults.
fn options(options: &Options) -> Vec<(&'static str, f64)> {
    let mode = |border: Border| f64::from(border as u8);
    let default = Options::default();
    let mut list = vec![
        ("border_mode_u", mode(options.border_u), mode(default.border_u)),
        ("border_mode_v", mode(options.border_v), mode(default.border_v)),
        ("border_offset_u", options.border_offset_u_m, 0.0),
        ("border_offset_v", options.border_offset_v_m, 0.0),
        ("border_smooth_ubeg", options.smooth_start_m, 0.0),
        ("border_smooth_uend", options.smooth_end_m, 0.0),
        ("refline_continuation", f64::from(u8::from(options.closed)), 0.0),
    ];
    list.retain(|(_, value, default)| value != default);
    list.into_iter().map(|(name, value, _)| (name, value)).collect()
}

fn channel_names(content: &Content) -> Vec<String> {
    let mut names = Vec::new();
    match content.course {
        Course::Straight => {}
        Course::Headings(_) => names.push("reference line phi,rad".to_owned()),
        Course::Positions(_) => {
            names.push("reference line x,m".to_owned());
            names.push("reference line y,m".to_owned());
        }
    }
    if content.slopes.is_some() {
        names.push("reference line slope,m/m".to_owned());
    }
    if content.bankings.is_some() {
        names.push("reference line banking,m/m".to_owned());
    }
    names.extend(content.v_m.iter().map(|v| format!("long section at v = {v},m")));
    names
}

fn values(content: &Content, index: usize, record: &mut Vec<f64>) {
    match &content.course {
        Course::Straight => {}
        Course::Headings(headings) => record.push(headings[index]),
        Course::Positions(points) => record.extend(points[index]),
    }
    record.extend(content.slopes.iter().map(|slopes| slopes[index]));
    record.extend(content.bankings.iter().map(|bankings| bankings[index]));
    let width = content.v_m.len();
    record.extend_from_slice(&content.heights_m[index * width..(index + 1) * width]);
}

fn text_record(format: Format, record: &[f64], bytes: &mut Vec<u8>) {
    let width = format.width();
    for line in record.chunks(80 / width) {
        for value in line {
            bytes.extend(field(*value, width).bytes());
        }
        bytes.push(b'\n');
    }
}

/// A number with as many digits as its field allows, after a blank.
fn field(value: f64, width: usize) -> String {
    if !value.is_finite() {
        return "*".repeat(width);
    }
    let room = width - 1;
    for digits in (0..room).rev() {
        let text = format!("{value:.digits$}");
        if text.len() <= room {
            return format!("{text:>width$}");
        }
    }
    let digits = width - 9;
    format!("{value:>width$.digits$e}")
}

fn binary_record(format: Format, record: &[f64], bytes: &mut Vec<u8>) {
    for value in record {
        match format {
            Format::Kdbi => bytes.extend(value.to_be_bytes()),
            _ => bytes.extend((*value as f32).to_be_bytes()),
        }
    }
}
