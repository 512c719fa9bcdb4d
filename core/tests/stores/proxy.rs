//! A network between a store or a holder and its database, which tests can slow down and cut.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PASS: u8 = 0;
const CUT: u8 = 1;
const HOLD: u8 = 2;
const MUTE: u8 = 3;

/// Data that was held back, and its destination.
type Held = Mutex<Vec<(TcpStream, Vec<u8>)>>;

/// Texts of statements, and the packets that answer them.
type Refused = Mutex<Vec<(String, Vec<u8>)>>;

/// Passes bytes on until a test changes that.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    state: Arc<AtomicU8>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    held: Arc<Held>,
    /// The statement whose answer gets lost.
    mute_at: Arc<Mutex<Option<String>>>,
    /// Statements that do not reach the server, with the errors that answer them.
    refused: Arc<Refused>,
    /// Extra time of a round trip, in milliseconds.
    delay: Arc<AtomicU64>,
    /// Packets that went to the server.
    requests: Arc<AtomicU64>,
}

impl Proxy {
    pub(crate) fn to(host: &str, port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Self {
            port: listener.local_addr().unwrap().port(),
            state: Arc::default(),
            open: Arc::default(),
            held: Arc::default(),
            mute_at: Arc::default(),
            refused: Arc::default(),
            delay: Arc::default(),
            requests: Arc::default(),
        };
        let (state, open, held) = (proxy.state.clone(), proxy.open.clone(), proxy.held.clone());
        let (mute_at, delay, requests) = (proxy.mute_at.clone(), proxy.delay.clone(), proxy.requests.clone());
        let refused = proxy.refused.clone();
        let server = format!("{host}:{port}");
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if state.load(Ordering::SeqCst) == CUT {
                    continue;
                }
                let Ok(server) = TcpStream::connect(&server) else { continue };
                for socket in [&client, &server] {
                    socket.set_nodelay(true).unwrap();
                }
                open.lock().unwrap().extend([client.try_clone().unwrap(), server.try_clone().unwrap()]);
                let ways = [(client.try_clone().unwrap(), server.try_clone().unwrap(), true), (server, client, false)];
                for (from, to, to_server) in ways {
                    let (state, held, mute_at, refused) =
                        (state.clone(), held.clone(), mute_at.clone(), refused.clone());
                    // What comes from the server is neither delayed nor counted.
                    let (delay, requests) =
                        if to_server { (delay.clone(), requests.clone()) } else { Default::default() };
                    std::thread::spawn(move || {
                        pump(from, to, to_server, &state, &held, &mute_at, &refused, &delay, &requests)
                    });
                }
            }
        });
        proxy
    }

    /// Makes every round trip this number of milliseconds longer.
    pub(crate) fn slow_down(&self, milliseconds: u64) {
        self.delay.store(milliseconds, Ordering::SeqCst);
    }

    /// Counts the packets that went to the server: one each round trip, since a client sends nothing before it has its
    /// answer.
    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::SeqCst)
    }

    /// Ends all connections and refuses new ones.
    pub(crate) fn cut(&self) {
        self.state.store(CUT, Ordering::SeqCst);
        for socket in self.open.lock().unwrap().drain(..) {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }

    /// Holds back what is sent to the server, so that no answer comes.
    pub(crate) fn hold(&self) {
        self.state.store(HOLD, Ordering::SeqCst);
    }

    /// Lets the next statement that has this in it be carried out, and loses its answer and all that follow.
    pub(crate) fn lose_answer_to(&self, statement: &str) {
        *self.mute_at.lock().unwrap() = Some(statement.to_owned());
    }

    /// Answers the next statements that have this in them with an error, one statement each time it is called.
    pub(crate) fn refuse(&self, statement: &str, code: u16, text: &str) {
        let packet = [&[0xff], &code.to_le_bytes()[..], format!("#HY000{text}").as_bytes()].concat();
        self.refused.lock().unwrap().push((statement.to_owned(), packet));
    }

    /// Returns the number of statements that are still to be refused.
    pub(crate) fn refusals_left(&self) -> usize {
        self.refused.lock().unwrap().len()
    }

    /// Lets statements be carried out, and loses their answers.
    pub(crate) fn lose_answers(&self) {
        self.state.store(MUTE, Ordering::SeqCst);
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

#[allow(clippy::too_many_arguments)]
fn pump(
    mut from: TcpStream,
    mut to: TcpStream,
    to_server: bool,
    state: &AtomicU8,
    held: &Held,
    mute_at: &Mutex<Option<String>>,
    refused: &Refused,
    delay: &AtomicU64,
    requests: &AtomicU64,
) {
    let mut buffer = [0; 65_536];
    let mut kept = false;
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let bytes = &buffer[..length];
        requests.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(delay.load(Ordering::SeqCst)));
        let is_wanted = |text: &mut String| String::from_utf8_lossy(bytes).contains(text.as_str());
        if to_server && mute_at.lock().unwrap().take_if(is_wanted).is_some() {
            state.store(MUTE, Ordering::SeqCst);
        }
        if to_server {
            let mut refused = refused.lock().unwrap();
            if let Some(at) =
                refused.iter().position(|(text, _)| String::from_utf8_lossy(bytes).contains(text.as_str()))
            {
                let packet = refused.remove(at).1;
                let length = (packet.len() as u32).to_le_bytes();
                let _ = from.write_all(&[&length[..3], &[1], &packet].concat());
                continue;
            }
        }
        kept |= state.load(Ordering::SeqCst) == if to_server { HOLD } else { MUTE };
        if kept {
            held.lock().unwrap().extend(to_server.then(|| (to.try_clone().unwrap(), bytes.to_vec())));
        } else if to.write_all(bytes).is_err() {
            break;
        }
    }
    if !kept {
        let _ = to.shutdown(Shutdown::Both);
    }
}
