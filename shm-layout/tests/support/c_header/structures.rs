//! The structures and the plain constants of the sources, translated by cbindgen.

use std::path::{Path, PathBuf};

use cbindgen::{Builder, Config, DocumentationStyle, ExportConfig, Language, Style};

use super::{constant_name, structure_name};

/// Constants whose value is not written down in the sources but computed; `facts` has them.
const COMPUTED: [&str; 2] = ["HEADER_BYTES", "MAGIC"];

/// Types of the small mathematics that fields may have; the header declares them itself.
const VECTORS: [&str; 2] = ["Vector3", "Quaternion"];

/// The files that declare what is shared.
fn sources() -> Vec<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let signals = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/signals/src");
    let blocks = std::fs::read_dir(signals.join("blocks")).expect("the payloads have a folder");
    let mut files: Vec<PathBuf> = blocks.map(|entry| entry.expect("it can be read").path()).collect();
    files.sort();
    files.insert(0, source.join("header.rs"));
    files.insert(0, signals.join("payload.rs"));
    files
}

fn lines() -> impl Iterator<Item = String> {
    let texts = sources().into_iter().map(|file| std::fs::read_to_string(file).expect("it can be read"));
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
}

/// The names of all shared structures, in the order of the sources: those with a C layout.
pub fn declared_structures() -> Vec<String> {
    let mut has_c_layout = false;
    let mut names = Vec::new();
    for line in lines() {
        if let Some(rest) = line.strip_prefix("pub struct ") {
            if has_c_layout {
                names.push(first_word(rest));
            }
            has_c_layout = false;
        }
        has_c_layout |= line == "#[repr(C)]";
    }
    names
}

fn declared_constants() -> Vec<String> {
    lines().filter_map(|line| line.strip_prefix("pub const ").map(first_word)).collect()
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

fn config() -> Config {
    let structures = declared_structures();
    let mut export = ExportConfig {
        include: structures.clone(),
        exclude: COMPUTED.map(str::to_owned).to_vec(),
        ..ExportConfig::default()
    };
    export.rename.extend(structures.into_iter().map(|name| (name.clone(), structure_name(&name))));
    export.rename.extend(VECTORS.map(|name| (name.to_owned(), structure_name(name))));
    export.rename.extend(declared_constants().into_iter().map(|name| (name.clone(), constant_name(&name))));
    Config {
        language: Language::C,
        style: Style::Both,
        no_includes: true,
        documentation_style: DocumentationStyle::C99,
        tab_width: 4,
        export,
        ..Config::default()
    }
}

/// What cbindgen makes of the sources.
pub fn declarations() -> String {
    let builder = sources().into_iter().fold(Builder::new().with_config(config()), Builder::with_src);
    let mut text = Vec::new();
    builder.generate().expect("cbindgen understands the declarations").write(&mut text);
    let text = String::from_utf8(text).expect("cbindgen writes text");
    // Constants of a type are for Rust: their values are no expressions of C.
    let is_of_a_type = |line: &&str| line.starts_with("#define Rtrd");
    let text = text.lines().filter(|line| !is_of_a_type(line)).collect::<Vec<_>>().join("\n");
    // What the Rust documentation links to are constants.
    text.replace("[`", &constant_name("")).replace("`]", "") + "\n"
}
