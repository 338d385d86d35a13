//! Files of models in tests: the shipped ones, and faults of wrong ones.

use vehicle::files::{FileError, Source, shipped_text};

/// The text of a shipped file.
pub fn text_of(folder: &str, name: &str) -> String {
    shipped_text(folder, name).unwrap_or_else(|| panic!("models/{folder}/{name} is shipped")).to_owned()
}

/// The fault of a content that should have one.
pub fn fault<T>(name: &str, bytes: &[u8], read: impl Fn(&Source<'_>) -> Result<T, FileError>) -> FileError {
    let error = read(&Source::new(name, bytes)).err();
    error.unwrap_or_else(|| panic!("accepted:\n{}", String::from_utf8_lossy(bytes)))
}

/// For each case what is written instead of what in a sound text: line and field of the fault that
/// follows.
pub fn assert_faults<T>(
    sound: &str,
    cases: &[(&str, &str, usize, &str)],
    read: impl Fn(&Source<'_>) -> Result<T, FileError>,
) {
    for (from, to, line, field) in cases {
        assert!(sound.contains(from), "{from}");
        let text = sound.replace(from, to);
        let error = fault("bad.toml", text.as_bytes(), &read);
        assert_eq!((error.line, error.field.as_str()), (*line, *field), "{error}");
        assert!(error.to_string().starts_with("bad.toml:"), "{error}");
    }
}

/// How often a text is refused with a line when it is cut off, at every place or at each of so
/// many.
pub fn refused_when_cut_off<T>(text: &str, step: usize, read: impl Fn(&Source<'_>) -> Result<T, FileError>) -> usize {
    let ends = (0..text.len()).step_by(step);
    let refused = |end: &usize| {
        let source = Source::new("cut.toml", &text.as_bytes()[..*end]);
        read(&source).is_err_and(|error| error.line > 0)
    };
    ends.filter(refused).count()
}
