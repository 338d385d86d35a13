//! The page, which is built from `dashboard/` and carried in this program.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../dashboard/dist"]
#[allow_missing = true]
struct Built;

/// What is shown where the page was not built.
const NOT_BUILT: &str = "<!doctype html><meta charset=utf-8><title>rtrd</title><h1>rtrd</h1>\
<p>This program was built without its page. Build the page with <code>scripts/dashboard</code> and the program once more.</p>";

/// A file of the page; files with a hash in their name never change.
pub fn file(path: &str) -> Response {
    let name = if path.is_empty() { "index.html" } else { path };
    let caching = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, content_type(name)), (header::CACHE_CONTROL, caching)];
    match Built::get(name) {
        Some(file) => (headers, file.data.into_owned()).into_response(),
        None if name == "index.html" => (headers, NOT_BUILT).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such page\n").into_response(),
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_first_page_and_nothing_outside_of_it() {
        assert_eq!(file("").status(), StatusCode::OK);
        for path in ["../Cargo.toml", "assets/../../package.json", "/etc/passwd", "nothing"] {
            assert_eq!(file(path).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
