//! A simulated Launchpad at MIDI ports that are found by name, plugged in and unplugged.
//! A JACK server offers the ports, because ALSA's need a kernel module; the same library
//! supports both.
//!
//! A server that is already running is used; otherwise one without a sound card is started.
//!
//! The sources are quoted in the tests of `touchboard-panels`.

#![cfg(all(unix, feature = "jack"))]

mod desk;

use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use desk::{GIVE_UP_AFTER, corner, fingers, plug_in};
use midir::os::unix::{VirtualInput, VirtualOutput};
use midir::{MidiInput, MidiInputConnection, MidiOutput, MidiOutputConnection};
use protocol::{Input, Point};
use touchboard_panel_ports::{OwnedPanel, PortNews};

/// The beginning of a message to a Launchpad X.
const TO_AN_X: [u8; 6] = [0xF0, 0x00, 0x20, 0x29, 0x02, 0x0C];

/// The JACK server of this test.
struct Server(Child);

impl Server {
    /// Starts the server; `None` if it is not available.
    fn start() -> Option<Server> {
        let mut server = Command::new("jackd");
        // Not in real time, without a sound card.
        server.args(["-r", "-d", "dummy"]);
        server.env("JACK_NO_AUDIO_RESERVATION", "1");
        let quiet = server.stdout(Stdio::null()).stderr(Stdio::null());
        let server = Server(quiet.spawn().ok()?);
        let began = Instant::now();
        while MidiInput::new("touchboard test").is_err() {
            assert!(began.elapsed() < GIVE_UP_AFTER, "jackd does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server may have ended by itself, if another one was running.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A Launchpad, which is unplugged by dropping it.
struct Launchpad {
    keys: MidiOutputConnection,
    /// Dropping it closes the port.
    _lights: MidiInputConnection<()>,
    messages: Receiver<Vec<u8>>,
}

impl Launchpad {
    fn plugged_in(name: &str) -> Launchpad {
        let (sender, messages) = channel();
        let lights = MidiInput::new(name).expect("a client");
        let take = move |_, message: &[u8], (): &mut ()| {
            // After unplugging, nobody receives.
            let _ = sender.send(message.to_vec());
        };
        let keys = MidiOutput::new(name).expect("a client");
        Launchpad {
            keys: keys.create_virtual("keys").expect("a port"),
            _lights: lights.create_virtual("lights", take, ()).expect("a port"),
            messages,
        }
    }

    /// The next message with this beginning.
    fn hears(&self, begin: &[u8]) -> Vec<u8> {
        loop {
            let message = self.messages.recv_timeout(GIVE_UP_AFTER);
            let message = message.expect("a message");
            if message.starts_with(begin) {
                return message;
            }
        }
    }

    fn says(&mut self, message: &[u8]) {
        self.keys.send(message).expect("a port");
    }

    /// Identifies itself and waits until it is lit. Returns the messages to it.
    fn is_found(&mut self) -> Vec<u8> {
        self.hears(&[&TO_AN_X[..], &[0x00]].concat());
        self.says(&[&TO_AN_X[..], &[0x00, 0x01, 0xF7]].concat());
        self.hears(&[&TO_AN_X[..], &[0x0E, 0x01, 0xF7]].concat());
        self.is_lit()
    }

    fn is_lit(&self) -> Vec<u8> {
        self.hears(&[&TO_AN_X[..], &[0x03]].concat())
    }
}

/// Waits for the next sentence of the panel.
fn sentence(panel: &OwnedPanel, woken: &Receiver<()>) -> String {
    loop {
        let said = panel.take_news().into_iter().find_map(|news| match news {
            PortNews::Say(sentence) => Some(sentence),
            PortNews::Finger(_) => None,
        });
        if let Some(sentence) = said {
            return sentence;
        }
        woken.recv_timeout(GIVE_UP_AFTER).expect("news");
    }
}

/// True if the upper left pad, number 81, is lit green.
fn is_green(lighting: &[u8]) -> bool {
    let entries = &lighting[7..lighting.len() - 1];
    entries.chunks(5).any(|entry| entry == [3, 81, 0, 127, 0])
}

#[test]
fn a_launchpad_is_found_again_after_unplugging() {
    let Some(_server) = Server::start() else {
        return law::excuse(
            "a_launchpad_is_found_again_after_unplugging",
            "there is no JACK server to offer MIDI ports: `cargo xtask setup` tries to",
        );
    };
    // Unique to this process, whatever else is connected to the server.
    let name = format!("LPX MIDI {}", std::process::id());
    let (panel, woken) = plug_in(&format!("launchpad:{name}"));
    let (layout, seen) = corner();
    panel.show(layout, &seen);
    let missing = format!("no MIDI port is called {name}: plug the panel in");
    assert_eq!(sentence(&panel, &woken), missing);

    let mut launchpad = Launchpad::plugged_in(&name);
    assert!(is_green(&launchpad.is_found()));
    launchpad.says(&[0x90, 81, 90]);
    assert_eq!(fingers(&panel, &woken), [Input::Touch(Point(0))]);
    drop(launchpad);
    // The finger that was down when the panel was unplugged is released.
    assert_eq!(fingers(&panel, &woken), [Input::Release(Point(0))]);

    let mut again = Launchpad::plugged_in(&name);
    assert!(is_green(&again.is_found()));
    drop(panel);
    assert!(!is_green(&again.is_lit()));
    again.hears(&[&TO_AN_X[..], &[0x0E, 0x00, 0xF7]].concat());
}
