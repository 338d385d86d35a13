//! One client: what it is sent, and what it asks.
//!
//! A client acknowledges the binary messages. No more than a few are on their way to it at a time,
//! or the newest would stand behind seconds of old ones in the buffers of the network. A client
//! that takes nothing for a while is dropped, as is one that sends rubbish.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::access::Right;
use crate::batch::Batch;
use crate::messages::{Reply, Request, SignalText, Stream, WATCHED_MAX};
use crate::operator::Operator;
use crate::shared::{Shared, lock};
use crate::state_frame::COUNT_AT;

/// How long a client may take to say hello.
const HELLO_WITHIN: Duration = Duration::from_secs(2);
/// How long it may take to take a message.
const SEND_WITHIN: Duration = Duration::from_secs(2);
/// How long it may leave messages without an acknowledgement.
const ACKNOWLEDGE_WITHIN: Duration = Duration::from_secs(10);
/// Messages of a stream that may be on their way.
const ON_THEIR_WAY: u32 = 3;
/// So many messages that cannot be read, and it is dropped.
const RUBBISH_MAX: u32 = 20;
/// Most clients at a time.
pub const CLIENTS_MAX: u64 = 64;
/// Codes with which we close, of those that are free for applications.
const CLOSE_TOKEN: u16 = 4401;
const CLOSE_HELLO: u16 = 4408;
const CLOSE_RUBBISH: u16 = 4400;

/// Why a client is left.
enum Left {
    /// It went by itself.
    Gone,
    /// It does not take what is sent.
    Stalled,
    /// It sends what cannot be read.
    Rubbish,
}

/// Messages of one stream on their way.
struct Credit {
    sent: u32,
    acknowledged: u32,
    since: Instant,
}

impl Credit {
    fn new() -> Self {
        Self { sent: 0, acknowledged: 0, since: Instant::now() }
    }

    fn is_free(&self) -> bool {
        self.sent.wrapping_sub(self.acknowledged) < ON_THEIR_WAY
    }

    fn next(&mut self) -> u32 {
        self.sent = self.sent.wrapping_add(1);
        self.sent
    }

    /// What was never sent is not acknowledged by this.
    fn acknowledge(&mut self, count: u32) {
        if self.sent.wrapping_sub(count) <= ON_THEIR_WAY {
            self.acknowledged = count;
            self.since = Instant::now();
        }
    }

    fn is_stalled(&self) -> bool {
        !self.is_free() && self.since.elapsed() > ACKNOWLEDGE_WITHIN
    }
}

/// Counts a client as long as it is there; what it does and watches ends with it.
struct Presence {
    shared: Arc<Shared>,
    client: u64,
    watched: Vec<u64>,
}

impl Presence {
    fn new(shared: Arc<Shared>) -> Self {
        shared.figures.clients.fetch_add(1, Relaxed);
        let client = shared.figures.clients_ever.fetch_add(1, Relaxed) + 1;
        Self { shared, client, watched: Vec::new() }
    }

    fn watch(&mut self, numbers: Vec<u64>) {
        self.shared.wanted.change(&self.watched, &numbers);
        self.watched = numbers;
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.watch(Vec::new());
        self.shared.figures.clients.fetch_sub(1, Relaxed);
        if let Some(operator) = &self.shared.operator {
            lock(operator).leave(self.client);
        }
    }
}

/// A client that has said hello.
struct Client {
    socket: WebSocket,
    presence: Presence,
    may_drive: bool,
    watch_id: u32,
    lost: u32,
    rubbish: u32,
    state: Credit,
    scope: Credit,
}

/// Serves a client until it goes or is dropped.
pub async fn serve(mut socket: WebSocket, shared: Arc<Shared>) {
    // Counted from the beginning: who says nothing takes a place, too.
    let presence = Presence::new(shared.clone());
    if shared.figures.clients.load(Relaxed) > CLIENTS_MAX {
        return;
    }
    let Some(right) = greet(&mut socket, &shared).await else { return };
    let client = Client {
        socket,
        presence,
        may_drive: right == Right::Drive && shared.operator.is_some(),
        watch_id: 0,
        lost: 0,
        rubbish: 0,
        state: Credit::new(),
        scope: Credit::new(),
    };
    client.run(&shared).await;
}

/// The first message, with the token; nothing is sent before it.
async fn greet(socket: &mut WebSocket, shared: &Shared) -> Option<Right> {
    let Ok(first) = timeout(HELLO_WITHIN, socket.recv()).await else {
        close(socket, CLOSE_HELLO, "say hello within two seconds").await;
        return None;
    };
    let Some(Ok(Message::Text(text))) = first else { return None };
    let Ok(Request::Hello { token }) = serde_json::from_str(&text) else {
        close(socket, CLOSE_RUBBISH, "the first message must be hello").await;
        return None;
    };
    let right = lock(&shared.access).right_of(&token, Instant::now());
    if right == Right::None {
        close(socket, CLOSE_TOKEN, "the token is wrong; use the address that the gateway printed").await;
        return None;
    }
    Some(right)
}

/// Says why it is over; who does not take it is not waited for.
async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    let _ = timeout(SEND_WITHIN, socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() })))).await;
}

impl Client {
    async fn run(mut self, shared: &Shared) {
        let left = match self.exchange(shared).await {
            Ok(never) => match never {},
            Err(left) => left,
        };
        match left {
            Left::Gone => {}
            Left::Stalled => {
                shared.figures.dropped.fetch_add(1, Relaxed);
                tracing::info!("client {} takes nothing any more and is dropped", self.presence.client);
            }
            Left::Rubbish => {
                shared.figures.dropped.fetch_add(1, Relaxed);
                close(&mut self.socket, CLOSE_RUBBISH, "these messages cannot be read").await;
            }
        }
    }

    /// Sends and takes until it is over.
    async fn exchange(&mut self, shared: &Shared) -> Result<std::convert::Infallible, Left> {
        let mut states = shared.state.subscribe();
        states.mark_changed();
        let mut statuses = shared.status.subscribe();
        let mut batches = shared.batches.subscribe();
        let operator = shared.operator.as_ref();
        let mut seats = operator.and_then(|operator| lock(operator).seat_changes());
        let mut paces = operator.map(|operator| lock(operator).pace_changes());
        let mut tick = tokio::time::interval(Duration::from_secs(1));
        let client = self.presence.client;
        self.reply(&Reply::Welcome { may_drive: self.may_drive, client }).await?;
        if let Some(seats) = &mut seats {
            let now = *seats.borrow_and_update();
            self.reply(&Reply::Seat { holder: now.seen_by(client) }).await?;
        }
        if let Some(paces) = &mut paces {
            let pace_ratio = *paces.borrow_and_update();
            self.reply(&Reply::Run { pace_ratio }).await?;
        }
        loop {
            let has_states = self.state.is_free();
            let has_batches = self.scope.is_free() && !self.presence.watched.is_empty();
            tokio::select! {
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.take(message, shared).await?,
                    _ => return Err(Left::Gone),
                },
                changed = states.changed(), if has_states => {
                    changed.map_err(|_| Left::Gone)?;
                    let newest = states.borrow_and_update().clone();
                    self.send_state(&newest).await?;
                }
                batch = batches.recv(), if has_batches => self.send_batch(batch).await?,
                changed = statuses.changed() => {
                    changed.map_err(|_| Left::Gone)?;
                    let newest = statuses.borrow_and_update().clone();
                    self.send(Message::Text(newest)).await?;
                }
                holder = next_of(&mut seats) => self.reply(&Reply::Seat { holder: holder.seen_by(client) }).await?,
                pace_ratio = next_of(&mut paces) => self.reply(&Reply::Run { pace_ratio }).await?,
                _ = tick.tick() => {
                    if self.state.is_stalled() || self.scope.is_stalled() {
                        return Err(Left::Stalled);
                    }
                    if self.presence.watched.is_empty() {
                        // Nobody takes them here: they are not to pile up as missing.
                        batches = shared.batches.subscribe();
                    }
                }
            }
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), Left> {
        match timeout(SEND_WITHIN, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Left::Gone),
            Err(_) => Err(Left::Stalled),
        }
    }

    async fn reply(&mut self, reply: &Reply) -> Result<(), Left> {
        self.send(Message::Text(reply.to_text().into())).await
    }

    async fn send_state(&mut self, newest: &[u8]) -> Result<(), Left> {
        if newest.is_empty() {
            return Ok(());
        }
        let mut bytes = newest.to_vec();
        bytes[COUNT_AT..COUNT_AT + 4].copy_from_slice(&self.state.next().to_le_bytes());
        self.send(Message::Binary(bytes.into())).await
    }

    async fn send_batch(&mut self, batch: Result<Arc<Batch>, RecvError>) -> Result<(), Left> {
        match batch {
            Ok(batch) => {
                let lost = std::mem::take(&mut self.lost);
                let bytes = batch.encode(self.scope.next(), self.watch_id, lost, &self.presence.watched);
                self.send(Message::Binary(bytes.into())).await
            }
            // How many steps these batches had is not known any more: about seventeen each.
            Err(RecvError::Lagged(batches)) => {
                let steps = u32::try_from(batches.saturating_mul(17)).unwrap_or(u32::MAX);
                self.lost = self.lost.saturating_add(steps);
                Ok(())
            }
            Err(RecvError::Closed) => Err(Left::Gone),
        }
    }

    async fn take(&mut self, message: Message, shared: &Shared) -> Result<(), Left> {
        let text = match message {
            Message::Text(text) => text,
            Message::Close(_) => return Err(Left::Gone),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Binary(_) => return self.complain("binary messages are not understood".to_owned()).await,
        };
        match serde_json::from_str::<Request>(&text) {
            Ok(request) => self.obey(request, shared).await,
            Err(error) => self.complain(format!("this message cannot be read: {error}")).await,
        }
    }

    async fn complain(&mut self, message: String) -> Result<(), Left> {
        self.rubbish += 1;
        if self.rubbish >= RUBBISH_MAX {
            return Err(Left::Rubbish);
        }
        self.reply(&Reply::Error { message }).await
    }

    async fn obey(&mut self, request: Request, shared: &Shared) -> Result<(), Left> {
        match request {
            Request::Hello { .. } => Ok(()),
            Request::Watch { id, signals } => self.watch(id, &signals, shared).await,
            Request::Ack { stream: Stream::State, count } => {
                self.state.acknowledge(count);
                Ok(())
            }
            Request::Ack { stream: Stream::Scope, count } => {
                self.scope.acknowledge(count);
                Ok(())
            }
            Request::Seat { action } => self.ask(shared, |operator, client| operator.ask_seat(client, action)).await,
            Request::Run(control) => self.ask(shared, |operator, client| operator.ask_run(client, control)).await,
            Request::Drive(drive) => {
                if let Some(operator) = shared.operator.as_ref().filter(|_| self.may_drive) {
                    lock(operator).drive(self.presence.client, drive);
                }
                Ok(())
            }
        }
    }

    /// Asks for something that needs the token; who is refused is told why.
    async fn ask(
        &mut self,
        shared: &Shared,
        what: impl FnOnce(&mut Operator, u64) -> Result<(), &'static str>,
    ) -> Result<(), Left> {
        let asked = match shared.operator.as_ref().filter(|_| self.may_drive) {
            Some(operator) => what(&mut lock(operator), self.presence.client),
            None => Err("driving needs the token: use the address that the gateway printed"),
        };
        match asked {
            Ok(()) => Ok(()),
            Err(why) => self.reply(&Reply::Error { message: why.to_owned() }).await,
        }
    }

    async fn watch(&mut self, id: u32, names: &[String], shared: &Shared) -> Result<(), Left> {
        let found: Vec<_> = names.iter().take(WATCHED_MAX).map(|name| shared.dictionary.find(name)).collect();
        let unknown: Vec<&str> =
            names.iter().zip(&found).filter(|(_, entry)| entry.is_none()).map(|(name, _)| name.as_str()).collect();
        let entries: Vec<_> = found.iter().copied().flatten().collect();
        self.watch_id = id;
        self.presence.watch(entries.iter().map(|entry| entry.number).collect());
        let signals = entries.into_iter().map(SignalText::new).collect();
        self.reply(&Reply::Watching { id, signals }).await?;
        if names.len() > WATCHED_MAX {
            let message = format!("{} signals at a time are too many; these are the first {WATCHED_MAX}", names.len());
            self.reply(&Reply::Error { message }).await?;
        }
        if unknown.is_empty() {
            return Ok(());
        }
        let message = format!("there is no signal of this name: {}", unknown.join(", "));
        self.reply(&Reply::Error { message }).await
    }
}

/// The next state of something that people change; never where there is none.
async fn next_of<T: Copy>(changes: &mut Option<watch::Receiver<T>>) -> T {
    if let Some(changes) = changes
        && changes.changed().await.is_ok()
    {
        return *changes.borrow_and_update();
    }
    std::future::pending().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_a_few_messages_are_on_their_way_and_lies_about_them_count_for_nothing() {
        let mut credit = Credit::new();
        for _ in 0..ON_THEIR_WAY {
            assert!(credit.is_free());
            credit.next();
        }
        assert!(!credit.is_free());
        for lie in [0_u32.wrapping_sub(7), 100] {
            credit.acknowledge(lie);
            assert!(!credit.is_free(), "{lie}");
        }
        credit.acknowledge(2);
        assert!(credit.is_free() && credit.next() == 4);
        assert!(!credit.is_stalled());
        credit.next();
        credit.since = Instant::now().checked_sub(ACKNOWLEDGE_WITHIN * 2).unwrap();
        assert!(credit.is_stalled());
    }
}
