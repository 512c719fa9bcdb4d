//! An operator who reads and changes nodes, by a client that shares nothing with leafmint's.

use super::zookeeper_url;
use std::io::{Read, Write};
use std::net::TcpStream;

const NO_NODE: i32 = -101;
const NODE_EXISTS: i32 = -110;

/// A session of an operator.
pub(crate) struct Operator {
    stream: TcpStream,
    number: i32,
}

/// Everyone may do everything.
const OPEN: &[(i32, &str, &str)] = &[(31, "world", "anyone")];

fn text(record: &mut Vec<u8>, text: &[u8]) {
    record.extend((text.len() as i32).to_be_bytes());
    record.extend(text);
}

fn int(bytes: &[u8], at: usize) -> i32 {
    i32::from_be_bytes(bytes[at..at + 4].try_into().unwrap())
}

impl Operator {
    pub(crate) fn new() -> Self {
        let url = zookeeper_url();
        let host = url.split("://").nth(1).unwrap().split(['/', ',']).next().unwrap();
        let mut operator = Self { stream: TcpStream::connect(host).unwrap(), number: 0 };
        let mut request = [&[0; 12][..], &10_000_i32.to_be_bytes(), &[0; 8]].concat();
        text(&mut request, &[0; 16]);
        operator.send(&request);
        operator.receive();
        operator
    }

    /// Logs in by the scheme `digest`.
    pub(crate) fn log_in(mut self, user: &str, password: &str) -> Self {
        let mut request = [(-4_i32).to_be_bytes(), 100_i32.to_be_bytes(), [0; 4]].concat();
        text(&mut request, b"digest");
        text(&mut request, format!("{user}:{password}").as_bytes());
        self.send(&request);
        assert_eq!(int(&self.receive(), 12), 0);
        self
    }

    pub(crate) fn get(&mut self, path: &str) -> Option<String> {
        let (code, body) = self.call(4, path, |request| request.push(0));
        match code {
            0 => Some(String::from_utf8(body[4..4 + int(&body, 0) as usize].to_vec()).unwrap()),
            NO_NODE => None,
            code => panic!("{path}: {code}"),
        }
    }

    pub(crate) fn set(&mut self, path: &str, data: &str) {
        let (code, _) = self.call(5, path, |request| {
            text(request, data.as_bytes());
            request.extend((-1_i32).to_be_bytes());
        });
        assert_eq!(code, 0, "{path}");
    }

    /// Changes what a node holds.
    pub(crate) fn edit(&mut self, path: &str, change: impl FnOnce(&str) -> String) {
        let before = self.get(path).unwrap();
        let after = change(&before);
        assert_ne!(after, before, "{path}");
        self.set(path, &after);
    }

    pub(crate) fn create(&mut self, path: &str, data: &str) {
        self.create_for(path, data, OPEN);
    }

    /// Creates a node with rights, schemes and ids.
    pub(crate) fn create_for(&mut self, path: &str, data: &str, access: &[(i32, &str, &str)]) {
        assert_eq!(self.try_to_create(path, data, access), 0, "{path}");
    }

    fn try_to_create(&mut self, path: &str, data: &str, access: &[(i32, &str, &str)]) -> i32 {
        let (code, _) = self.call(1, path, |request| {
            text(request, data.as_bytes());
            write_access(request, access);
            request.extend([0; 4]);
        });
        code
    }

    /// Creates a node and all above it, unless they are there.
    pub(crate) fn create_all(&mut self, path: &str) {
        for (at, _) in path.match_indices('/').skip(1).chain([(path.len(), "")]) {
            let code = self.try_to_create(&path[..at], "", OPEN);
            assert!([0, NODE_EXISTS].contains(&code), "{path}: {code}");
        }
    }

    /// Gives a node other rights.
    pub(crate) fn set_access(&mut self, path: &str, access: &[(i32, &str, &str)]) {
        let (code, _) = self.call(7, path, |request| {
            write_access(request, access);
            request.extend((-1_i32).to_be_bytes());
        });
        assert_eq!(code, 0, "{path}");
    }

    pub(crate) fn delete(&mut self, path: &str) {
        let (code, _) = self.call(2, path, |request| request.extend((-1_i32).to_be_bytes()));
        assert_eq!(code, 0, "{path}");
    }

    pub(crate) fn children(&mut self, path: &str) -> Vec<String> {
        let (code, body) = self.call(8, path, |request| request.push(0));
        assert_eq!(code, 0, "{path}");
        let mut at = 4;
        let mut names = Vec::new();
        for _ in 0..int(&body, 0) {
            let end = at + 4 + int(&body, at) as usize;
            names.push(String::from_utf8(body[at + 4..end].to_vec()).unwrap());
            at = end;
        }
        names.sort();
        names
    }

    fn call(&mut self, operation: i32, path: &str, rest: impl FnOnce(&mut Vec<u8>)) -> (i32, Vec<u8>) {
        self.number += 1;
        let mut request = [self.number.to_be_bytes(), operation.to_be_bytes()].concat();
        text(&mut request, path.as_bytes());
        rest(&mut request);
        self.send(&request);
        let answer = self.receive();
        assert_eq!(int(&answer, 0), self.number);
        (int(&answer, 12), answer[16..].to_vec())
    }

    fn send(&mut self, request: &[u8]) {
        let mut frame = Vec::new();
        text(&mut frame, request);
        self.stream.write_all(&frame).unwrap();
    }

    fn receive(&mut self) -> Vec<u8> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).unwrap();
        let mut answer = vec![0; i32::from_be_bytes(length) as usize];
        self.stream.read_exact(&mut answer).unwrap();
        answer
    }
}

fn write_access(request: &mut Vec<u8>, access: &[(i32, &str, &str)]) {
    request.extend((access.len() as i32).to_be_bytes());
    for (rights, scheme, id) in access {
        request.extend(rights.to_be_bytes());
        text(request, scheme.as_bytes());
        text(request, id.as_bytes());
    }
}

/// Returns the path of a namespace of the tests' Leaf, or of a node in it.
pub(crate) fn path(namespace: &str, node: &str) -> String {
    let url = zookeeper_url();
    let name = url.rsplit_once('/').unwrap().1;
    format!("/snowflake/{name}/leafmint/{namespace}{node}")
}

/// Returns the same text with another token and horizon.
pub(crate) fn with_version(text: &str, token: &str, horizon: i64) -> String {
    let line = |line: &str| match line.split_once(' ') {
        Some(("token", _)) => format!("token {token}\n"),
        Some(("horizon", _)) => format!("horizon {horizon}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Reads the token of the node of a worker id.
pub(crate) fn token(text: &str) -> &str {
    text.split("token ").nth(1).unwrap().lines().next().unwrap()
}

/// Reads the horizon of the node of a worker id.
pub(crate) fn horizon(text: &str) -> i64 {
    text.split("horizon ").nth(1).unwrap().lines().next().unwrap().parse().unwrap()
}
