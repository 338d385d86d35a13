//! The page of an instance, for who shows it and for who looks for it.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Where a gateway leaves the address of its page, which lets who reads it drive: in the folder of
/// this user's running programs.
pub fn page_file(instance: &str) -> PathBuf {
    let own = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_dir());
    let folder = own.unwrap_or_else(|| PathBuf::from(format!("/tmp/rtrd-{}", nix::unistd::getuid())));
    folder.join(format!("rtrd-{instance}.page"))
}

/// Opens a page in a browser where there is a display. That none can be opened is no harm: its
/// address was printed.
pub fn open_page(page: &str) {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if has_display && let Some(opener) = rt::processes::on_search_path("xdg-open") {
        let opened = Command::new(opener).arg(page).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        if let Err(error) = opened {
            tracing::debug!("no browser: {error}");
        }
    }
}
