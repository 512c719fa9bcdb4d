//! A PostgreSQL server of a test's own, which it may crash.

use super::postgres::sql_on;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A server that ends with this.
pub(crate) struct Crashing {
    program: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    pub(crate) url: String,
    /// The file with the authority of its certificate, if it was started with `--tls`.
    pub(crate) authority: String,
}

impl Crashing {
    /// Starts a server with these settings; with `--pooled` first, behind a pool; with `--tls`, with
    /// a certificate.
    pub(crate) fn with(settings: &[&str]) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/servers/crashing_postgresql.py");
        let mut command = Command::new("python3");
        command.arg(script).args(settings).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut program = command.spawn().unwrap();
        let (input, output) = (program.stdin.take(), BufReader::new(program.stdout.take().unwrap()));
        let mut server = Self { program, input, output, url: String::new(), authority: String::new() };
        server.read_url();
        server
    }

    /// Ends the server with kill -9, and starts it again.
    pub(crate) fn crash(&mut self) {
        writeln!(self.input.as_mut().unwrap()).unwrap();
        self.read_url();
    }

    /// Makes each commit wait for a replica that does not exist.
    pub(crate) fn lose_replicas(&self) {
        sql_on(&self.url, "ALTER SYSTEM SET synchronous_standby_names = 'ghost'");
        sql_on(&self.url, "SELECT pg_reload_conf()");
        // The server takes the setting in a moment later.
        let (commit, waits) = ("SELECT pg_logical_emit_message(true, 'leafmint', 'a commit')", AtomicBool::new(false));
        let cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity \
                      WHERE wait_event = 'SyncRep' AND query LIKE '%pg_logical_emit_message%'";
        std::thread::scope(|scope| {
            let committing = scope.spawn(|| {
                while !waits.load(Ordering::SeqCst) {
                    sql_on(&self.url, commit);
                }
            });
            let began = Instant::now();
            while !committing.is_finished() {
                // A failure must not leave the other thread behind.
                let is_over = !sql_on(&self.url, cancel).is_empty() || began.elapsed() > Duration::from_secs(30);
                waits.fetch_or(is_over, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(10));
            }
            assert!(began.elapsed() < Duration::from_secs(30), "no commit waits for a replica");
        });
    }

    fn read_url(&mut self) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "the server did not start");
        let (url, authority) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        (self.url, self.authority) = (url.to_owned(), authority.to_owned());
    }
}

impl Drop for Crashing {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.program.wait();
    }
}
