//! A network between a holder and its database, for tests to cut.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PASS: u8 = 0;
const CUT: u8 = 1;
const HOLD: u8 = 2;

/// Passes bytes on until it is told otherwise.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    state: Arc<AtomicU8>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    held: Arc<Mutex<Vec<(TcpStream, Vec<u8>)>>>,
}

impl Proxy {
    pub(crate) fn to(host: &str, port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Self {
            port: listener.local_addr().unwrap().port(),
            state: Arc::default(),
            open: Arc::default(),
            held: Arc::default(),
        };
        let (state, open, held) = (proxy.state.clone(), proxy.open.clone(), proxy.held.clone());
        let server = format!("{host}:{port}");
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if state.load(Ordering::SeqCst) == CUT {
                    continue;
                }
                let Ok(server) = TcpStream::connect(&server) else { continue };
                open.lock().unwrap().extend([client.try_clone().unwrap(), server.try_clone().unwrap()]);
                let ways = [(client.try_clone().unwrap(), server.try_clone().unwrap(), true), (server, client, false)];
                for (from, to, to_server) in ways {
                    let (state, held) = (state.clone(), held.clone());
                    std::thread::spawn(move || pump(from, to, to_server, &state, &held));
                }
            }
        });
        proxy
    }

    /// Ends all connections and refuses new ones.
    pub(crate) fn cut(&self) {
        self.state.store(CUT, Ordering::SeqCst);
        for socket in self.open.lock().unwrap().drain(..) {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }

    /// Keeps what is sent to the server, so that nobody answers.
    pub(crate) fn hold(&self) {
        self.state.store(HOLD, Ordering::SeqCst);
    }

    /// Passes bytes on again; what was kept stays kept.
    pub(crate) fn pass(&self) {
        self.state.store(PASS, Ordering::SeqCst);
    }

    /// Sends what was kept to the server, late.
    pub(crate) fn deliver(&self) {
        for (mut server, bytes) in self.held.lock().unwrap().drain(..) {
            let _ = server.write_all(&bytes);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn pump(mut from: TcpStream, mut to: TcpStream, to_server: bool, state: &AtomicU8, held: &Mutex<Vec<(TcpStream, Vec<u8>)>>) {
    let mut buffer = [0; 65_536];
    let mut kept = false;
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        kept |= to_server && state.load(Ordering::SeqCst) == HOLD;
        if kept {
            held.lock().unwrap().push((to.try_clone().unwrap(), buffer[..length].to_vec()));
        } else if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    if !kept {
        let _ = to.shutdown(Shutdown::Both);
    }
}
