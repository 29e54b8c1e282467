//! The origin of a command, as the limits need it.
//!
//! Invariants: requests of one peer are never counted against another, and a command with
//! a right password is counted against no peer.

use std::fmt;
use std::net::IpAddr;

use crate::names::Address;

/// Against whom unsigned requests are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Peer {
    /// This machine itself: a user who can open the store.
    #[default]
    Local,
    /// A host that connected over the network.
    Host(IpAddr),
    /// The author of a mail, and the host that handed it to the mail server, if it is
    /// known.
    Author(Option<Address>, Option<IpAddr>),
}

/// The part of an address that certainly belongs to one subscriber: all of an IPv4
/// address, half of an IPv6 address.
pub fn network(host: IpAddr) -> IpAddr {
    const SUBSCRIBER: u128 = !0 << 64;
    match host.to_canonical() {
        IpAddr::V6(host) => IpAddr::V6((host.to_bits() & SUBSCRIBER).into()),
        host => host,
    }
}

/// A unique text for each peer, under which it is counted.
impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Peer::Local => f.write_str("here"),
            Peer::Host(host) => write!(f, "host {}", network(*host)),
            Peer::Author(from, host) => {
                let from = from.as_ref().map_or(String::new(), Address::key);
                write!(f, "author {from}")?;
                host.map_or(Ok(()), |host| write!(f, " at {}", network(host)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_subscriber_are_one_peer() {
        let key = |host: &str| Peer::Host(host.parse().unwrap()).to_string();
        assert_eq!(key("192.0.2.7"), key("::ffff:192.0.2.7"));
        assert_ne!(key("192.0.2.7"), key("192.0.2.8"));
        assert_eq!(key("2001:db8:1:2::3"), key("2001:db8:1:2:ffff::4"));
        assert_ne!(key("2001:db8:1:2::3"), key("2001:db8:1:3::3"));
    }
}
