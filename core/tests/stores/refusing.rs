//! A server that accepts no log-in: it greets, and answers every log-in with an error or with a plugin.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The answer of the server.
#[derive(Clone)]
pub(crate) enum Answer {
    /// An error of this number instead of the greeting.
    InsteadOfGreeting(u16),
    /// An error of this number instead of the end of the log-in.
    ToLogIn(u16),
    /// The request to log in by this plugin.
    LogInBy(&'static str),
}

pub(crate) struct Refusing {
    pub(crate) port: u16,
    connections: Arc<AtomicUsize>,
}

impl Refusing {
    pub(crate) fn with(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let refusing = Self { port: listener.local_addr().unwrap().port(), connections: Arc::default() };
        let connections = refusing.connections.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                connections.fetch_add(1, Ordering::SeqCst);
                let answer = answer.clone();
                std::thread::spawn(move || drop(talk(client, &answer)));
            }
        });
        refusing
    }

    /// Returns the number of connections so far.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn talk(mut client: TcpStream, answer: &Answer) -> std::io::Result<()> {
    let error =
        |code: u16| [&[0xff], &code.to_le_bytes()[..], format!("#HY000made by the test, {code}").as_bytes()].concat();
    match answer {
        Answer::InsteadOfGreeting(code) => send(&mut client, 0, &error(*code)),
        Answer::ToLogIn(code) => {
            greet(&mut client)?;
            send(&mut client, 2, &error(*code))
        }
        Answer::LogInBy(plugin) => {
            greet(&mut client)?;
            send(&mut client, 2, &[&[0xfe], plugin.as_bytes(), &[0], &[b'n'; 20], &[0]].concat())?;
            // Whatever it sends is not good enough; a client that gives up at once is not waited for.
            read(&mut client)?;
            send(&mut client, 4, &error(1045))
        }
    }?;
    // Until the client hangs up: a socket closed too early would lose what was sent.
    client.read(&mut [0; 64]).map(drop)
}

/// Greets as version 10 of the protocol does, and reads who asks.
fn greet(client: &mut TcpStream) -> std::io::Result<()> {
    let capabilities: u32 = 0x0008_0000 | 0x0002_0000 | 0x0001_0000 | 0x8000 | 0x2000 | 0x0200 | 0x0008 | 0x0001;
    let (low, high) = ((capabilities & 0xffff) as u16, (capabilities >> 16) as u16);
    let greeting = [
        &[10][..],
        b"8.0.40\0",
        &1u32.to_le_bytes(),
        &[b's'; 8],
        &[0],
        &low.to_le_bytes(),
        &[45],
        &2u16.to_le_bytes(),
        &high.to_le_bytes(),
        &[21],
        &[0; 10],
        &[b't'; 12],
        &[0],
        b"mysql_native_password\0",
    ];
    send(client, 0, &greeting.concat())?;
    read(client)
}

fn send(client: &mut TcpStream, number: u8, payload: &[u8]) -> std::io::Result<()> {
    let length = (payload.len() as u32).to_le_bytes();
    client.write_all(&[&length[..3], &[number], payload].concat())
}

fn read(client: &mut TcpStream) -> std::io::Result<()> {
    let mut head = [0; 4];
    client.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[0], head[1], head[2], 0]);
    client.read_exact(&mut vec![0; length as usize])
}
