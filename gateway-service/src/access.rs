//! Who may look and who may drive.
//!
//! Any page that is open in the same browser can send requests to this machine, and a name that an
//! attacker controls can be made to point here. So every request must call us by a name that we
//! know (`Host`), and a WebSocket must come from our own page or from a program (`Origin`). What
//! changes something needs the token of this start besides; beyond this machine looking does too.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use subtle::ConstantTimeEq;

/// Bytes of the token.
const TOKEN_BYTES: usize = 32;
/// So many wrong tokens, and all are refused for a while: there is nothing to guess in peace.
const FAILURES_MAX: u32 = 20;
/// That while.
const PENALTY: Duration = Duration::from_secs(10);

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It calls us by a name that is not ours.
    Host,
    /// It comes from a page of somebody else.
    Origin,
}

/// What a client may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// Nothing: the token is wrong, or missing where it is needed.
    None,
    /// Look.
    Look,
    /// Look and change.
    Drive,
}

/// The rules of one start.
#[derive(Debug)]
pub struct Access {
    token: String,
    hosts: Vec<String>,
    is_local: bool,
    failures: u32,
    refuses_until: Option<Instant>,
}

impl Access {
    /// The rules for an address on which we listen.
    pub fn new(address: SocketAddr, more_hosts: &[String]) -> std::io::Result<Self> {
        Ok(Self::with_token(address, more_hosts, new_token()?))
    }

    fn with_token(address: SocketAddr, more_hosts: &[String], token: String) -> Self {
        let port = address.port();
        let mut hosts: Vec<String> =
            ["127.0.0.1", "localhost", "[::1]"].iter().map(|name| format!("{name}:{port}")).collect();
        if !address.ip().is_unspecified() {
            hosts.push(address.to_string());
        }
        hosts.extend(more_hosts.iter().map(|host| host.to_ascii_lowercase()));
        let is_local = address.ip().is_loopback();
        Self { token, hosts, is_local, failures: 0, refuses_until: None }
    }

    /// The token, for the address that is printed.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether a request calls us by our name and comes from our own page, or from no page.
    pub fn check(&self, host: Option<&str>, origin: Option<&str>) -> Result<(), Refusal> {
        let host = host.unwrap_or_default().to_ascii_lowercase();
        if !self.hosts.contains(&host) {
            return Err(Refusal::Host);
        }
        match origin.map(str::to_ascii_lowercase) {
            Some(origin) if origin != format!("http://{host}") && origin != format!("https://{host}") => {
                Err(Refusal::Origin)
            }
            _ => Ok(()),
        }
    }

    /// What who shows this token may do. The comparison takes the same time wherever they differ.
    pub fn right_of(&mut self, token: &str, now: Instant) -> Right {
        if token.is_empty() {
            return if self.is_local { Right::Look } else { Right::None };
        }
        if self.refuses_until.is_some_and(|until| now < until) {
            return Right::None;
        }
        if bool::from(token.as_bytes().ct_eq(self.token.as_bytes())) {
            self.failures = 0;
            return Right::Drive;
        }
        self.failures += 1;
        if self.failures >= FAILURES_MAX {
            self.failures = 0;
            self.refuses_until = Some(now + PENALTY);
        }
        Right::None
    }
}

/// Random bytes of the kernel, as hexadecimal digits.
fn new_token() -> std::io::Result<String> {
    use std::io::Read;
    let mut bytes = [0; TOKEN_BYTES];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: &str) -> Access {
        Access::with_token(address.parse().expect("an address"), &["Car-PC:7400".to_owned()], "right".to_owned())
    }

    #[test]
    fn only_our_own_names_and_our_own_page_are_let_in() {
        let access = access("127.0.0.1:7400");
        for (host, origin, expected) in [
            (Some("127.0.0.1:7400"), None, Ok(())),
            (Some("LOCALHOST:7400"), Some("http://localhost:7400"), Ok(())),
            (Some("[::1]:7400"), Some("http://[::1]:7400"), Ok(())),
            (Some("car-pc:7400"), Some("https://car-pc:7400"), Ok(())),
            (None, None, Err(Refusal::Host)),
            (Some("127.0.0.1:7401"), None, Err(Refusal::Host)),
            (Some("127.0.0.1"), None, Err(Refusal::Host)),
            // A name that an attacker pointed at this machine.
            (Some("evil.example:7400"), Some("http://evil.example:7400"), Err(Refusal::Host)),
            (Some("127.0.0.1:7400"), Some("http://evil.example"), Err(Refusal::Origin)),
            (Some("127.0.0.1:7400"), Some("http://127.0.0.1:7401"), Err(Refusal::Origin)),
            (Some("127.0.0.1:7400"), Some("http://localhost:7400"), Err(Refusal::Origin)),
            (Some("127.0.0.1:7400"), Some("null"), Err(Refusal::Origin)),
        ] {
            assert_eq!(access.check(host, origin), expected, "{host:?} {origin:?}");
        }
    }

    #[test]
    fn driving_needs_the_token_and_looking_only_from_elsewhere() {
        let now = Instant::now();
        for (address, without) in [("127.0.0.1:1", Right::Look), ("[::1]:1", Right::Look), ("10.0.0.2:1", Right::None)]
        {
            let mut access = access(address);
            assert_eq!(access.right_of("", now), without, "{address}");
            assert_eq!(access.right_of("right", now), Right::Drive);
            assert_eq!(access.right_of("wrong", now), Right::None);
        }
    }

    #[test]
    fn who_guesses_must_wait_and_is_then_let_in_again() {
        let (mut access, now) = (access("127.0.0.1:1"), Instant::now());
        for _ in 0..FAILURES_MAX {
            assert_eq!(access.right_of("wrong", now), Right::None);
        }
        assert_eq!(access.right_of("right", now), Right::None);
        assert_eq!(access.right_of("right", now + PENALTY), Right::Drive);
    }

    #[test]
    fn tokens_are_long_and_differ() {
        let [one, other] = [(); 2].map(|()| new_token().expect("random bytes"));
        assert!(one.len() == 2 * TOKEN_BYTES && one != other);
    }
}
