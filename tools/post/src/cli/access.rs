//! The server that a task sends its commands to, here or elsewhere.

use post::names::BoardNumber;
use post::server::{CommandResult, Server};
use post::transcript::{Match, verify};
use post::transport::lines::RemoteServer;

use super::{PATIENCE, PostError, StorePlace};

/// A server here or elsewhere.
pub enum ServerAccess<'p> {
    Here(Box<Server>, &'p StorePlace),
    There(RemoteServer),
}

impl ServerAccess<'_> {
    /// Connects to the server at this address, or opens the store.
    pub fn open<'p>(
        place: &'p StorePlace,
        tcp: Option<&str>,
    ) -> Result<ServerAccess<'p>, PostError> {
        Ok(match tcp {
            Some(address) => ServerAccess::There(RemoteServer::connect(address, PATIENCE)?),
            None => ServerAccess::Here(Box::new(place.server()?), place),
        })
    }

    /// Carries out a command, and delivers the mails that are due.
    pub fn carry_out(&mut self, line: &str) -> Result<CommandResult, PostError> {
        match self {
            ServerAccess::There(client) => Ok(client.carry_out(line)?),
            ServerAccess::Here(server, place) => {
                let reply = server.carry_out(line)?;
                place.flush(server)?;
                Ok(reply)
            }
        }
    }

    /// The board according to its transcript, with every line verified.
    pub fn board(&mut self, number: BoardNumber) -> Result<Match, PostError> {
        let reply = self.carry_out(&format!("malaka history {number}"))?;
        if !reply.is_done {
            return Err(PostError::Refused(reply));
        }
        Ok(verify(&reply.text)?.board)
    }
}
