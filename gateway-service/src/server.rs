//! HTTP: the page, what does not change, and the WebSocket.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::access::{Refusal, Right};
use crate::client;
use crate::messages::SignalText;
use crate::page;
use crate::shared::{Shared, lock};

/// Largest message of a client.
const MESSAGE_MAX: usize = 64 * 1024;
/// Most that is kept for a client besides what the kernel keeps.
const WRITE_BUFFER_MAX: usize = 1 << 20;

/// Headers of every answer: nothing from elsewhere, nothing inside of others.
const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
         connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Serves until the future is over.
pub async fn serve(
    listener: TcpListener,
    shared: Arc<Shared>,
    over: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let service = router(shared).into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, service).into_future();
    // Clients are not waited for: they see that the connection is over.
    tokio::select! {
        served = serving => served,
        () = over => Ok(()),
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(|| async { page::file("") }))
        .route("/{*path}", get(|Path(path): Path<String>| async move { page::file(&path) }))
        .route("/api/run", get(run))
        .route("/api/scene", get(scene))
        .route("/api/signals", get(signals))
        .route("/ws", get(socket))
        .layer(from_fn_with_state(shared.clone(), check))
        .with_state(shared)
}

/// Refuses who calls us by another name or comes from another page, before anything else is done.
async fn check(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let checked = {
        let text = |name| request.headers().get(name).map(|value: &HeaderValue| value.to_str().unwrap_or("?"));
        lock(&shared.access).check(text(header::HOST), text(header::ORIGIN))
    };
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(Refusal::Host) => {
            (StatusCode::MISDIRECTED_REQUEST, "this is not the name of this machine; see --allow-host\n")
                .into_response()
        }
        Err(Refusal::Origin) => {
            (StatusCode::FORBIDDEN, "pages of others may not talk to the gateway\n").into_response()
        }
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// JSON for who may look.
fn json(shared: &Shared, headers: &HeaderMap, text: impl FnOnce() -> String) -> Response {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = bearer.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    if lock(&shared.access).right_of(token, Instant::now()) == Right::None {
        return (StatusCode::UNAUTHORIZED, "the token is wrong; use the address that the gateway printed\n")
            .into_response();
    }
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], text()).into_response()
}

async fn run(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    json(&shared, &headers, || shared.run.clone())
}

async fn scene(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    json(&shared, &headers, || shared.scene.clone())
}

async fn signals(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    json(&shared, &headers, || {
        let all: Vec<SignalText> = shared.dictionary.entries().iter().map(SignalText::new).collect();
        serde_json::to_string(&all).unwrap_or_default()
    })
}

async fn socket(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(MESSAGE_MAX)
        .max_frame_size(MESSAGE_MAX)
        .write_buffer_size(0)
        .max_write_buffer_size(WRITE_BUFFER_MAX)
        .on_upgrade(move |socket| client::serve(socket, shared))
}
