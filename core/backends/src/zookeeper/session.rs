//! A session with one server: one request after another, each with its answer.

use super::errors;
use super::errors::{BAD_VERSION, NO_NODE, NODE_EXISTS};
use super::node::Access;
use super::node::{Changed, Created, Kind, Node, Stat};
use super::stream::Stream;
use super::stream::{Reader, Record, malformed};
use crate::sessions::{Failure, Outcome};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

const CREATE: i32 = 1;
const GET: i32 = 4;
const SET: i32 = 5;
const CHILDREN: i32 = 8;
const SYNC: i32 = 9;
const PING: i32 = 11;
const CLOSE: i32 = -11;

/// The numbers of answers that belong to no request of a number of its own.
const NOTIFICATION: i32 = -1;
const PING_NUMBER: i32 = -2;

/// Most requests that are sent before the first answer is read.
const MOST_AT_ONCE: usize = 100;

/// Most bytes that are kept of what one node holds. Ours are far shorter; of a longer one, the beginning shows that
/// another program wrote it.
const MOST_KEPT: usize = 8 << 10;

/// Most answers that are passed over while one is waited for.
const MOST_PASSED: usize = 16;

/// A session with one server. It holds nothing, and is watched by nothing.
pub struct Session {
    stream: Stream,
    number: i32,
    is_logged_in: bool,
    /// How long the server keeps it while it idles, and when it was used last.
    kept_for: Duration,
    used: Instant,
    /// The newest transaction that any session of this client has seen.
    newest: Arc<AtomicI64>,
}

/// An answer of the server.
pub(super) struct Answer {
    pub(super) code: i32,
    record: Vec<u8>,
}

impl Answer {
    /// The bytes before the answer's own.
    const HEADER: usize = 16;

    pub(super) fn body(&self) -> Reader<'_> {
        Reader::of(&self.record[Self::HEADER..])
    }
}

impl Session {
    pub(super) fn new(stream: Stream, kept_for: Duration, newest: Arc<AtomicI64>) -> Self {
        Self { stream, number: 0, is_logged_in: false, kept_for, used: Instant::now(), newest }
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.stream.is_encrypted
    }

    pub(super) fn note_log_in(&mut self) {
        self.is_logged_in = true;
    }

    /// Reads a node; `None` if there is none.
    pub async fn get(&mut self, path: &str) -> Outcome<Option<Node>> {
        let answer = self.call(GET, watchless(path)).await?;
        node(&answer, path)
    }

    /// Reads nodes, in the order of their paths. They are not read in one moment.
    pub async fn get_all(&mut self, paths: &[String]) -> Outcome<Vec<Option<Node>>> {
        let mut nodes = Vec::new();
        for paths in paths.chunks(MOST_AT_ONCE) {
            let numbers: Vec<i32> = paths.iter().map(|_| self.next_number()).collect();
            let requests = numbers.iter().zip(paths).flat_map(|(number, path)| frame(*number, GET, &watchless(path)));
            let (seen, requests) = (self.begin()?, requests.collect::<Vec<u8>>());
            self.stream.send_frames(&requests).await?;
            for (number, path) in numbers.into_iter().zip(paths) {
                let answer = self.answer_to(number, seen).await?;
                nodes.push(node(&answer, path)?);
            }
        }
        Ok(nodes)
    }

    /// Lists the names of the nodes below a node, in any order; `None` if there is no such node.
    pub async fn children(&mut self, path: &str) -> Outcome<Option<Vec<String>>> {
        let answer = self.call(CHILDREN, watchless(path)).await?;
        match answer.code {
            0 => names(answer.body()).map(Some),
            NO_NODE => Ok(None),
            code => Err(errors::of_code(code, path)),
        }
    }

    /// Creates a node that stays.
    pub async fn create(&mut self, path: &str, data: &[u8], kind: Kind, access: Access) -> Outcome<Created> {
        let record = access.write(Record::default().text(path).bytes(data), self.is_logged_in).int(kind.flags());
        let answer = self.call(CREATE, record).await?;
        match answer.code {
            0 => Ok(Created::New(answer.body().text()?.to_owned())),
            NODE_EXISTS => Ok(Created::Exists),
            NO_NODE => Ok(Created::NoParent),
            code => Err(errors::of_code(code, path)),
        }
    }

    /// Changes the data of a node: if it has this version, or whatever version it has.
    pub async fn set(&mut self, path: &str, data: &[u8], version: Option<i32>) -> Outcome<Changed> {
        let record = Record::default().text(path).bytes(data).int(version.unwrap_or(-1));
        let answer = self.call(SET, record).await?;
        match answer.code {
            0 => {
                let Stat { version, changed_at } = Stat::read(&mut answer.body())?;
                Ok(Changed::Done { version, changed_at })
            }
            BAD_VERSION => Ok(Changed::OtherVersion),
            NO_NODE => Ok(Changed::Missing),
            code => Err(errors::of_code(code, path)),
        }
    }

    /// Waits until the server knows what the leader knew when it was asked. Later reads on this session show it.
    pub async fn sync(&mut self, path: &str) -> Outcome<()> {
        let answer = self.call(SYNC, Record::default().text(path)).await?;
        match answer.code {
            0 | NO_NODE => Ok(()),
            code => Err(errors::of_code(code, path)),
        }
    }

    #[cfg(test)]
    pub(super) fn pretend_to_have_seen(&self, transaction: i64) {
        self.newest.store(transaction, Ordering::Relaxed);
    }

    pub(super) async fn ping(&mut self) -> Outcome<()> {
        let seen = self.begin()?;
        self.stream.send_frames(&frame(PING_NUMBER, PING, &Record::default())).await?;
        self.answer_to(PING_NUMBER, seen).await.map(drop)
    }

    /// Ends the session, so that the server need not wait for it to expire.
    pub(super) async fn end(mut self) {
        let _ = self.call(CLOSE, Record::default()).await;
    }

    /// Sends a request, and waits for its answer.
    pub(super) async fn call(&mut self, operation: i32, record: Record) -> Outcome<Answer> {
        let number = self.next_number();
        self.call_numbered(number, operation, record).await
    }

    pub(super) async fn call_numbered(&mut self, number: i32, operation: i32, record: Record) -> Outcome<Answer> {
        let seen = self.begin()?;
        self.stream.send_frames(&frame(number, operation, &record)).await?;
        self.answer_to(number, seen).await
    }

    fn next_number(&mut self) -> i32 {
        self.number = self.number.checked_add(1).unwrap_or(1);
        self.number
    }

    /// Refuses a session that the server may have ended. Returns the newest transaction that was seen until now.
    fn begin(&mut self) -> Outcome<i64> {
        if self.used.elapsed() > self.kept_for * 2 / 3 {
            return Err(Failure::broken("the session idled for too long"));
        }
        self.used = Instant::now();
        Ok(self.newest.load(Ordering::Relaxed))
    }

    /// Waits for the answer to a request before which the transaction `seen` was the newest one.
    async fn answer_to(&mut self, number: i32, seen: i64) -> Outcome<Answer> {
        for _ in 0..MOST_PASSED {
            let record = self.stream.receive().await?;
            let mut header = Reader::of(&record);
            let (answered, newest, code) = (header.int()?, header.long()?, header.int()?);
            if answered == NOTIFICATION || (answered == PING_NUMBER && number != PING_NUMBER) {
                continue;
            }
            if answered != number {
                return Err(malformed());
            }
            self.note(newest, seen)?;
            return Ok(Answer { code, record });
        }
        Err(malformed())
    }

    /// Refuses an answer of a server that lags behind what was seen before the request was sent.
    fn note(&self, newest: i64, seen: i64) -> Outcome<()> {
        // Log-ins are answered without a transaction.
        if newest > 0 && newest < seen {
            return Err(Failure::broken("the server lags behind what was read already"));
        }
        self.newest.fetch_max(newest, Ordering::Relaxed);
        Ok(())
    }
}

/// Returns the request of a node by its path alone, without a watch.
fn watchless(path: &str) -> Record {
    Record::default().text(path).boolean(false)
}

fn frame(number: i32, operation: i32, record: &Record) -> Vec<u8> {
    Record::default().int(number).int(operation).record(record).into_frame()
}

/// Reads the answer to a request for a node.
fn node(answer: &Answer, path: &str) -> Outcome<Option<Node>> {
    match answer.code {
        0 => {
            let mut body = answer.body();
            let data = body.bytes()?;
            let data = data[..data.len().min(MOST_KEPT)].to_vec();
            let Stat { version, changed_at } = Stat::read(&mut body)?;
            Ok(Some(Node { data, version, changed_at }))
        }
        NO_NODE => Ok(None),
        code => Err(errors::of_code(code, path)),
    }
}

/// Reads a list of names. Memory is taken only for names that are there.
pub(super) fn names(mut body: Reader<'_>) -> Outcome<Vec<String>> {
    let count = body.int()?;
    (0..count).map(|_| body.text().map(str::to_owned)).collect()
}
