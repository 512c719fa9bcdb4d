//! A server that speaks TLS, and whose accounts log in by SASL.

use crate::holders::{Claimant, Server, open, process, wait};
use crate::stores::{settings, unique};
use leafmint::ErrorKind;
use leafmint_backends::sessions::{LogIn, SslMode};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server of the test's own, which ends with this.
struct Secure {
    program: Child,
    url: String,
    tls_port: u16,
    authority: PathBuf,
}

impl Secure {
    fn start() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/servers/secure_zookeeper.py");
        let mut program =
            Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let [url, port, authority] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("the server did not start: {line:?}")
        };
        Self { program, url: url.to_owned(), tls_port: port.parse().unwrap(), authority: authority.into() }
    }

    /// Describes a process that logs in by SASL.
    fn process(&self, name: &str, password: &str) -> Claimant {
        let mut process = process(Server::ZooKeeper, "default", 1);
        process.database = settings(&self.url);
        process.database.connect_timeout = Duration::from_secs(20);
        process.database.database = name.to_owned();
        process.database.log_in = LogIn::Configured { user: Some("shop".into()), password: Some(password.into()) };
        process.database.sasl = true;
        process
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        drop(self.program.stdin.take());
        let _ = self.program.wait();
    }
}

#[test]
fn an_account_logs_in_by_sasl_and_each_ssl_mode_asks_for_what_it_says() {
    let server = Secure::start();
    let name = unique("sasl");
    assert_eq!(wait(open(server.process(&name, "secret")).acquire()).unwrap().worker_id, 0);
    let mut nobody = server.process(&name, "");
    (nobody.database.sasl, nobody.database.log_in) = (false, LogIn::Configured { user: None, password: None });
    let error = wait(open(nobody).acquire()).unwrap_err();
    assert!(error.message().contains("NoAuth"), "the nodes belong to the account: {error}");
    let error = wait(open(server.process(&name, "wrong")).acquire()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
    assert!(error.message().contains("check user and password") && !error.message().contains("wrong"), "{error}");
    let mut elsewhere = server.process(&name, "secret");
    elsewhere.database.hosts = process(Server::ZooKeeper, "default", 1).database.hosts;
    let error = wait(open(elsewhere).acquire()).unwrap_err();
    let text = error.message();
    assert!(text.contains("does not log in by SASL") && text.contains("may not be your server"), "{error}");

    let by_tls = |host: &str, mode, authority: Option<&PathBuf>| {
        let mut process = server.process(&name, "secret");
        process.database.hosts = vec![(host.to_owned(), server.tls_port)];
        (process.database.ssl_mode, process.database.ssl_ca) = (mode, authority.cloned());
        wait(open(process).acquire())
    };
    let known = Some(&server.authority);
    for (worker_id, host, mode, authority) in [
        (1, "127.0.0.1", SslMode::Required, None),
        (2, "127.0.0.1", SslMode::VerifyCa, known),
        (3, "localhost", SslMode::VerifyIdentity, known),
    ] {
        assert_eq!(by_tls(host, mode, authority).unwrap().worker_id, worker_id, "{mode:?}");
    }
    for (host, mode, authority, part) in [
        ("127.0.0.1", SslMode::VerifyIdentity, known, "not for this host"),
        ("localhost", SslMode::VerifyIdentity, None, "UnknownIssuer"),
        ("localhost", SslMode::Disabled, None, "before it opened a session"),
    ] {
        let error = by_tls(host, mode, authority).unwrap_err();
        assert!(error.message().contains(part), "{mode:?}: {error}");
    }
}
