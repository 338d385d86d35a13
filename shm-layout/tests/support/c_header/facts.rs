//! What only the compiled program knows: places, sizes, fields, the layout hash, and the assertions
//! about them.

use std::fmt::Write;
use std::mem::offset_of;

use shm_layout::block::{CONTROL_WORDS, LAYOUT_HASH, PAGE_BYTES, REGION_BYTES};
use shm_layout::blocks::{self, CATALOGUE};
use shm_layout::header::{HEADER_BYTES, Header, MAGIC, TableLine};
use shm_layout::name::{FILE_PREFIX, SHARED_MEMORY_DIRECTORY};
use shm_layout::region::IN_USE;
use shm_layout::slots::{ATTEMPTS, SLOT_HEADER_WORDS, SLOTS, slot_words};
use shm_layout::writer::{GENERATION, OWNED_SINCE_NS, OWNER_PID, PUBLISHED};
use shm_layout::{Block, Field, Kind, Layout, Payload, Shape, Stamp};

use super::{constant_name, structure_name};

/// One value for the header.
fn define(text: &mut String, documentation: &str, name: &str, value: impl std::fmt::Display) {
    writeln!(text, "// {documentation}\n#define {} {value}", constant_name(name)).expect("strings grow");
}

/// What holds for the whole region and for every block.
pub fn region() -> String {
    let mut text = String::new();
    let mut size = |documentation, name, value: usize| define(&mut text, documentation, name, value);
    size("Bytes of a memory page; blocks start on one.", "PAGE_BYTES", PAGE_BYTES);
    size("Bytes of the header in front of the first block.", "HEADER_BYTES", HEADER_BYTES);
    size("Bytes of the whole region.", "REGION_BYTES", REGION_BYTES);
    size("Byte of the file whose shared lock says \"somebody takes part\".", "IN_USE_BYTE", IN_USE);
    size("Slots of a block; write number s goes to slot s modulo this.", "SLOTS", SLOTS);
    size("How often a reader tries before it gives up.", "ATTEMPTS", ATTEMPTS as usize);
    size("Words in front of a block's slots.", "CONTROL_WORDS", CONTROL_WORDS);
    size("Control word: number of the last whole write.", "CONTROL_PUBLISHED", PUBLISHED);
    size("Control word: how many owners the block has had.", "CONTROL_GENERATION", GENERATION);
    size("Control word: process number of the owner.", "CONTROL_OWNER_PID", OWNER_PID);
    size("Control word: since when, monotonic.", "CONTROL_OWNED_SINCE_NS", OWNED_SINCE_NS);
    size(
        "Words in front of a slot's payload: the sequence number; then generation (high half) and used words (low).",
        "SLOT_HEADER_WORDS",
        SLOT_HEADER_WORDS,
    );
    size("Blocks of the region.", "BLOCK_COUNT", CATALOGUE.len());
    let wide = |value: u64| format!("UINT64_C(0x{value:016x})");
    define(&mut text, "How every region begins.", "MAGIC", wide(MAGIC));
    define(&mut text, "Fingerprint of this layout.", "LAYOUT_HASH", wide(LAYOUT_HASH));
    let quoted = |value: &str| format!("{value:?}");
    define(&mut text, "Folder of the regions.", "SHARED_MEMORY_DIRECTORY", quoted(SHARED_MEMORY_DIRECTORY));
    define(&mut text, "How the file name of a region begins.", "FILE_PREFIX", quoted(FILE_PREFIX));
    text + "\n"
}

/// The name of a block's payload.
fn payload_name<T: Payload>(_: Block<T>) -> &'static str {
    short_name::<T>()
}

/// The name of a type without its path.
fn short_name<T>() -> &'static str {
    let path = std::any::type_name::<T>();
    path.rsplit("::").next().unwrap_or(path)
}

/// Where each block is, and a list of them for macros.
pub fn blocks() -> String {
    let mut text = String::new();
    let mut list = "// Every block, as X(CONSTANT, name, payload type).\n#define RTRD_BLOCKS(X)".to_owned();
    for (index, (entry, payload)) in CATALOGUE.iter().zip(every_block!(payload_name)).enumerate() {
        let upper = entry.name.to_uppercase();
        let payload = structure_name(payload);
        let numbers = [
            ("INDEX", index),
            ("NUMBER", entry.number as usize),
            ("OFFSET_BYTES", shm_layout::block::offset(index)),
            ("PAYLOAD_WORDS", entry.payload_words),
            ("SLOT_WORDS", slot_words(entry.payload_words)),
        ];
        writeln!(text, "// /{}/: {payload}, written by {}.", entry.name, entry.writer.name()).expect("strings grow");
        for (what, number) in numbers {
            writeln!(text, "#define RTRD_BLOCK_{upper}_{what} {number}").expect("strings grow");
        }
        write!(list, " \\\n    X({upper}, {}, {payload})", entry.name).expect("strings grow");
    }
    text + "\n" + &list + "\n\n"
}

/// The fields of each block, down to the numbers.
pub fn fields() -> String {
    let mut text = "\
// What the words of a field are.
#define RTRD_KIND_FLOAT 0
#define RTRD_KIND_UNSIGNED 1
#define RTRD_KIND_SIGNED 2

// The fields of each block as X(before, after, kind, word, count, stride, unit). The name of a
// single number is `before`; number i of an array is `before[i]after`, at word `word + i * stride`
// of the payload.
"
    .to_owned();
    for entry in CATALOGUE {
        write!(text, "#define RTRD_FIELDS_{}(X)", entry.name.to_uppercase()).expect("strings grow");
        write_fields(&mut text, "", 0, None, entry.fields);
        text += "\n\n";
    }
    text
}

/// An array that the fields are in: its name, how many elements it has, and how far apart they are.
#[derive(Clone, Copy)]
struct Array<'a> {
    name: &'a str,
    count: usize,
    stride: usize,
}

fn write_fields(text: &mut String, prefix: &str, start: usize, array: Option<Array>, fields: &[Field]) {
    for field in fields {
        let name = format!("{prefix}{}", field.name);
        let word = start + field.word;
        let own = (field.count > 1).then_some(Array { name: &name, count: field.count, stride: field.words_each });
        assert!(own.is_none() || array.is_none(), "{name}: an array inside an array has no place in the list");
        if field.kind == Kind::Structure {
            let prefix = if own.is_some() { ".".to_owned() } else { format!("{name}.") };
            write_fields(text, &prefix, word, own.or(array), field.nested);
            continue;
        }
        let letters = field.parts.iter().map(|letter| format!(".{letter}")).collect::<Vec<_>>();
        let plain = [String::new()];
        let parts = if letters.is_empty() { &plain[..] } else { &letters };
        for (part, letter) in parts.iter().enumerate() {
            let (before, after) = match (own, array) {
                (Some(own), _) => (own.name.to_owned(), letter.clone()),
                (None, Some(array)) => (array.name.to_owned(), format!("{name}{letter}")),
                (None, None) => (format!("{name}{letter}"), String::new()),
            };
            let Array { count, stride, .. } = own.or(array).unwrap_or(Array { name: "", count: 1, stride: 1 });
            let (kind, unit, word) = (kind_name(field.kind), field.unit, word + part);
            write!(text, " \\\n    X(\"{before}\", \"{after}\", {kind}, {word}, {count}, {stride}, \"{unit}\")")
                .expect("strings grow");
        }
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Float => "RTRD_KIND_FLOAT",
        Kind::Unsigned => "RTRD_KIND_UNSIGNED",
        Kind::Signed => "RTRD_KIND_SIGNED",
        Kind::Structure => unreachable!("structures are taken apart"),
    }
}

/// One structure's size and offsets.
fn assert_structure(text: &mut String, name: &str, bytes: usize, offsets: &[(&str, usize)]) {
    let name = structure_name(name);
    writeln!(text, "static_assert(sizeof({name}) == {bytes}, \"size of {name}\");").expect("strings grow");
    for (field, offset) in offsets {
        writeln!(text, "static_assert(offsetof({name}, {field}) == {offset}, \"{name}.{field}\");")
            .expect("strings grow");
    }
}

fn assert_layout<T: Layout + Shape>(text: &mut String) {
    let offsets: Vec<_> = T::FIELDS.iter().map(|field| (field.name, field.word * 8)).collect();
    assert_structure(text, short_name::<T>(), T::WORDS * 8, &offsets);
}

macro_rules! offsets {
    ($structure:ident: $($field:ident)*) => {
        &[$((stringify!($field), offset_of!($structure, $field))),*]
    };
}

/// By these a C compiler checks that it agrees.
pub fn assertions() -> String {
    let mut text = "// The compiler that reads this must lay the structures out as the one that wrote it.\n".to_owned();
    let line = offsets!(TableLine: name number offset_bytes size_bytes payload_words slot_words slot_count);
    assert_structure(&mut text, "TableLine", size_of::<TableLine>(), line);
    let header = offsets!(Header: magic layout_version layout_hash region_bytes instance_epoch creator_pid block_count
        reserved table);
    assert_structure(&mut text, "Header", size_of::<Header>(), header);
    assert_layout::<Stamp>(&mut text);
    assert_layout::<blocks::SteeringMotion>(&mut text);
    assert_layout::<blocks::SourceStatus>(&mut text);
    assert_layout::<blocks::ChannelStatus>(&mut text);
    assert_layout::<blocks::Acquisition>(&mut text);
    assert_layout::<blocks::Control>(&mut text);
    assert_layout::<blocks::Demands>(&mut text);
    assert_layout::<blocks::DriverInput>(&mut text);
    assert_layout::<blocks::ExternalWheel>(&mut text);
    assert_layout::<blocks::External>(&mut text);
    assert_layout::<blocks::WheelForces>(&mut text);
    assert_layout::<blocks::Forces>(&mut text);
    assert_layout::<blocks::Distribution>(&mut text);
    assert_layout::<blocks::Health>(&mut text);
    assert_layout::<blocks::WheelKinematics>(&mut text);
    assert_layout::<blocks::Kinematics>(&mut text);
    assert_layout::<blocks::Names>(&mut text);
    assert_layout::<blocks::Override>(&mut text);
    assert_layout::<blocks::Overrides>(&mut text);
    assert_layout::<blocks::PlantInputs>(&mut text);
    assert_layout::<blocks::PlantOutputs>(&mut text);
    assert_layout::<blocks::StateVector>(&mut text);
    assert_layout::<blocks::Sensors>(&mut text);
    assert_layout::<blocks::WheelState>(&mut text);
    assert_layout::<blocks::VehicleState>(&mut text);
    text + "\n"
}
