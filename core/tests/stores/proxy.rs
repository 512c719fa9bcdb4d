//! A network between a store or a holder and its database, which tests can slow down and cut.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PASS: u8 = 0;
const CUT: u8 = 1;
const HOLD: u8 = 2;
const MUTE: u8 = 3;

/// Data that was held back, and its destination.
type Held = Mutex<Vec<(TcpStream, Vec<u8>)>>;

/// Texts of statements, and the packets that answer them.
type Refused = Mutex<Vec<(String, Vec<u8>)>>;

/// Passes bytes on until a test changes that. Clients see a server without TLS, so that statements can be read.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    state: Arc<AtomicU8>,
    open: Arc<Mutex<Vec<TcpStream>>>,
    held: Arc<Held>,
    /// The statement whose answer gets lost, or that is held back with all that follow, and which of the two.
    mute_at: Arc<Mutex<Option<(String, u8)>>>,
    /// Statements that do not reach the server, with the errors that answer them.
    refused: Arc<Refused>,
    /// Extra time of a round trip, in milliseconds.
    delay: Arc<AtomicU64>,
    /// Packets that went to the server.
    requests: Arc<AtomicU64>,
    /// Packets that came from it.
    answers: Arc<AtomicU64>,
}

impl Proxy {
    pub(crate) fn to(host: &str, port: u16) -> Self {
        Self::behind(host, port, pass_greeting)
    }

    /// Does the same for a server that says nothing before it is spoken to.
    pub(crate) fn to_zookeeper(host: &str, port: u16) -> Self {
        Self::behind(host, port, |_, _| Ok(()))
    }

    /// Does the same for a server that speaks first only when it is spoken to.
    pub(crate) fn to_postgres(host: &str, port: u16) -> Self {
        Self::behind(host, port, |_, client| refuse_tls(client))
    }

    fn behind(host: &str, port: u16, begin: fn(&TcpStream, &TcpStream) -> std::io::Result<()>) -> Self {
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
            answers: Arc::default(),
        };
        let (state, open, held) = (proxy.state.clone(), proxy.open.clone(), proxy.held.clone());
        let (mute_at, delay, requests) = (proxy.mute_at.clone(), proxy.delay.clone(), proxy.requests.clone());
        let (refused, answers) = (proxy.refused.clone(), proxy.answers.clone());
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
                if begin(&server, &client).is_err() {
                    continue;
                }
                {
                    let mut open = open.lock().unwrap();
                    // A cut that came meanwhile has not ended this one.
                    if state.load(Ordering::SeqCst) == CUT {
                        continue;
                    }
                    open.extend([client.try_clone().unwrap(), server.try_clone().unwrap()]);
                }
                let ways = [(client.try_clone().unwrap(), server.try_clone().unwrap(), true), (server, client, false)];
                for (from, to, to_server) in ways {
                    let (state, held, mute_at, refused) =
                        (state.clone(), held.clone(), mute_at.clone(), refused.clone());
                    // What comes from the server is not delayed.
                    let (delay, packets) =
                        if to_server { (delay.clone(), requests.clone()) } else { (Arc::default(), answers.clone()) };
                    std::thread::spawn(move || {
                        pump(from, to, to_server, &state, &held, &mute_at, &refused, &delay, &packets)
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
        *self.mute_at.lock().unwrap() = Some((statement.to_owned(), MUTE));
    }

    /// Holds back the next statement that has this in it, and all that follow.
    pub(crate) fn hold_at(&self, statement: &str) {
        *self.mute_at.lock().unwrap() = Some((statement.to_owned(), HOLD));
    }

    /// Returns whether the statement has come that [`lose_answer_to`](Self::lose_answer_to) or
    /// [`hold_at`](Self::hold_at) names.
    pub(crate) fn has_met_it(&self) -> bool {
        self.mute_at.lock().unwrap().is_none()
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

    /// Sends what was kept to the server, late, and waits for an answer. Requests to cancel are left out: they may
    /// overtake their statements.
    pub(crate) fn deliver(&self) {
        let (before, sent) = (self.answers.load(Ordering::SeqCst), Instant::now());
        for (mut server, bytes) in self.held.lock().unwrap().drain(..) {
            if !is_cancel_of_postgres(&bytes) {
                let _ = server.write_all(&bytes);
            }
        }
        while self.answers.load(Ordering::SeqCst) == before && sent.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Passes the greeting of a server on, as that of a server without TLS.
pub(crate) fn pass_greeting(mut server: &TcpStream, mut client: &TcpStream) -> std::io::Result<()> {
    let mut greeting = vec![0; 4];
    server.read_exact(&mut greeting)?;
    let length = u32::from_le_bytes([greeting[0], greeting[1], greeting[2], 0]) as usize;
    greeting.resize(4 + length, 0);
    server.read_exact(&mut greeting[4..])?;
    if let Some(flags) = tls_flag(&greeting).and_then(|at| greeting.get_mut(at)) {
        *flags &= !TLS;
    }
    client.write_all(&greeting)
}

/// Answers the request of a client of PostgreSQL to encrypt, as a server without TLS.
fn refuse_tls(mut client: &TcpStream) -> std::io::Result<()> {
    let mut request = [0; 8];
    if client.peek(&mut request)? == 8 && request == *b"\0\0\0\x08\x04\xd2\x16\x2f" {
        client.read_exact(&mut request)?;
        client.write_all(b"N")?;
    }
    Ok(())
}

/// Tells a client's [request to cancel](https://www.postgresql.org/docs/current/protocol-message-formats.html), which
/// comes on a connection of its own.
fn is_cancel_of_postgres(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(&80_877_102_u32.to_be_bytes())
}

/// The flag for TLS in its byte of the capabilities.
pub(crate) const TLS: u8 = 0x08;

/// Finds the byte of the capabilities that has the flag for TLS; an error instead of a greeting has none.
pub(crate) fn tls_flag(greeting: &[u8]) -> Option<usize> {
    // Header and protocol, the name of the version, the number of the connection, a scramble.
    let version = greeting.get(5..).filter(|_| greeting[4] == 10)?;
    Some(5 + version.iter().position(|&byte| byte == 0)? + 1 + 4 + 8 + 1 + 1)
}

/// A session that was held back while it logged in would keep the server from dropping databases for a minute.
impl Drop for Proxy {
    fn drop(&mut self) {
        self.cut();
    }
}

#[allow(clippy::too_many_arguments)]
fn pump(
    mut from: TcpStream,
    mut to: TcpStream,
    to_server: bool,
    state: &AtomicU8,
    held: &Held,
    mute_at: &Mutex<Option<(String, u8)>>,
    refused: &Refused,
    delay: &AtomicU64,
    packets: &AtomicU64,
) {
    let mut buffer = [0; 65_536];
    let mut kept = false;
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let bytes = &buffer[..length];
        packets.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(delay.load(Ordering::SeqCst)));
        let is_wanted = |wanted: &mut (String, u8)| String::from_utf8_lossy(bytes).contains(wanted.0.as_str());
        if to_server && let Some((_, then)) = mute_at.lock().unwrap().take_if(is_wanted) {
            state.store(then, Ordering::SeqCst);
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
        let now = state.load(Ordering::SeqCst);
        if now == CUT {
            break;
        }
        kept |= now == if to_server { HOLD } else { MUTE };
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
