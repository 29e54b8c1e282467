//! What limits count a connection by: the network of who is at its other end.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};

/// The part of an address that certainly belongs to one subscriber: all of an IPv4
/// address, half of an IPv6 address.
#[must_use]
pub fn network_of(host: IpAddr) -> String {
    const SUBSCRIBER: u128 = !0 << 64;
    match host.to_canonical() {
        IpAddr::V6(host) => IpAddr::V6((host.to_bits() & SUBSCRIBER).into()).to_string(),
        host => host.to_string(),
    }
}

/// Whose word counts for the address of a peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proxies {
    /// Connections come from the peers themselves.
    #[default]
    None,
    /// Connections come from a proxy, which writes the address of its peer last into
    /// `X-Forwarded-For`.
    One,
}

/// Reads the address that a proxy writes, from the request that opens a WebSocket.
#[derive(Clone, Debug, Default)]
pub struct ForwardedFor(Arc<OnceLock<IpAddr>>);

impl ForwardedFor {
    /// The address, once the request was read and if it has one.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        self.0.get().copied()
    }
}

impl Callback for ForwardedFor {
    #[allow(clippy::result_large_err)]
    fn on_request(self, request: &Request, response: Response) -> Result<Response, ErrorResponse> {
        let lines = request.headers().get_all("x-forwarded-for");
        let last = lines.iter().next_back().and_then(|line| line.to_str().ok());
        let address = last.and_then(last_address);
        if let Some(address) = address {
            // The request is read once.
            let _ = self.0.set(address);
        }
        Ok(response)
    }
}

/// The last address of a list. Earlier ones were written by the peer, as it liked.
fn last_address(line: &str) -> Option<IpAddr> {
    let (_, last) = line.rsplit_once(',').unwrap_or(("", line));
    last.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscriber_has_one_network() {
        let of = |text: &str| network_of(text.parse().unwrap());
        assert_eq!(of("10.1.2.3"), "10.1.2.3");
        assert_eq!(of("::ffff:10.1.2.3"), "10.1.2.3");
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::9"));
        assert_ne!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:3::9"));
    }

    #[test]
    fn only_the_last_address_is_the_proxys_word() {
        assert_eq!(last_address("1.2.3.4, 5.6.7.8"), "5.6.7.8".parse().ok());
        assert_eq!(last_address("5.6.7.8"), "5.6.7.8".parse().ok());
        assert_eq!(last_address("1.2.3.4, evil"), None);
        assert_eq!(last_address(""), None);
    }
}
