//! The committed C header is what the declarations say, and compilers of C and C++ agree with every
//! size and offset.

#[macro_use]
#[path = "support/every_block.rs"]
mod every_block;
#[path = "support/c_header/mod.rs"]
mod c_header;
#[path = "support/child.rs"]
mod child;
#[path = "support/compiler.rs"]
mod compiler;

use std::path::Path;

/// The first line in which two texts differ, for people.
fn first_difference(committed: &str, current: &str) -> String {
    let mut lines = committed.lines().zip(current.lines()).enumerate();
    match lines.find(|(_, (left, right))| left != right) {
        Some((index, (left, right))) => {
            format!("line {}:\n  committed {left}\n  current   {right}", index + 1)
        }
        None => format!("{} and {} lines", committed.lines().count(), current.lines().count()),
    }
}

#[test]
fn the_committed_header_is_current() {
    let path = compiler::clients().join("rtrd.h");
    let current = c_header::generate();
    if std::env::var_os("RTRD_UPDATE_HEADER").is_some() {
        std::fs::write(&path, &current).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == current,
        "clients/c/rtrd.h is stale ({}); make it again with\n    \
         RTRD_UPDATE_HEADER=1 cargo test -p shm-layout --test c_header",
        first_difference(&committed, &current)
    );
}

#[test]
fn every_shared_structure_is_declared_and_checked() {
    let text = c_header::generate();
    let structures = c_header::declared_structures();
    assert!(["DriverInput", "Stamp"].iter().all(|name| structures.iter().any(|it| it == name)), "{structures:?}");
    for name in structures {
        assert!(text.contains(&format!("typedef struct Rtrd{name} {{")), "{name} is not declared");
        assert!(text.contains(&format!("static_assert(sizeof(Rtrd{name}) ==")), "{name} is not checked");
    }
}

/// Everything that another program could mistake for its own begins with our name.
#[test]
fn every_name_has_the_prefix() {
    for line in c_header::generate().lines() {
        if let Some(rest) = line.strip_prefix("#define ") {
            assert!(rest.starts_with("RTRD_"), "{line}");
        }
        if let Some(rest) = line.strip_prefix("typedef struct ") {
            assert!(rest.starts_with("Rtrd"), "{line}");
        }
    }
}

/// The documentation of a field is the only place that says its unit.
#[test]
fn the_documentation_of_fields_is_kept() {
    let text = c_header::generate();
    let field = "    // [rad] [@range -20..20] [@invalid NaN] Steering-wheel angle, positive to the left.\n    \
                 double steering_angle_rad;\n";
    assert!(text.contains(field), "no such field in:\n{text}");
}

fn assert_compiles(compiler: &str, standard: &str, suffix: &str) {
    if !compiler::exists(compiler) {
        return child::skipped(&format!("the header under {compiler}: it is not installed"));
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join(format!("header.{suffix}"));
    // Twice, to try the guard; and every block's payload by the list.
    let program = "#include \"rtrd.h\"\n#include \"rtrd.h\"\n\
         #define CHECK(CONSTANT, name, Type) \
         static_assert(sizeof(Type) == 8 * RTRD_BLOCK_##CONSTANT##_PAYLOAD_WORDS, #name);\n\
         RTRD_BLOCKS(CHECK)\n\
         int main(void) { return RTRD_BLOCK_COUNT == 0; }\n";
    std::fs::write(&source, program).unwrap();
    compiler::compile(compiler, standard, &source, &folder.path().join("program"));
}

#[test]
fn the_header_compiles_as_c_and_as_cpp() {
    assert_compiles("cc", "c11", "c");
    assert_compiles("c++", "c++17", "cpp");
}

/// A compiler that laid a structure out in another way would be stopped by the assertions.
#[test]
fn a_moved_field_does_not_compile() {
    if !compiler::exists("cc") {
        return child::skipped("a header with a moved field: there is no C compiler");
    }
    let folder = tempfile::tempdir().unwrap();
    let moved = c_header::generate().replace("double throttle_ratio;", "double throttle_ratio, moved;");
    std::fs::write(folder.path().join("moved.h"), moved).unwrap();
    let source = folder.path().join("moved.c");
    std::fs::write(&source, "#include \"moved.h\"\nint main(void) { return 0; }\n").unwrap();
    let stopped = std::panic::catch_unwind(|| {
        compiler::compile("cc", "c11", &source, Path::new("/dev/null"));
    });
    let message = *stopped.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("RtrdDriverInput.brake_ratio"), "{message}");
}
