//! Encrypted sessions: what each mode checks of the server's certificate.

use crate::stores::crashing::Crashing;
use crate::stores::options;
use crate::stores::postgres::sql_on;
use leafmint::ErrorKind;
use std::io::{Read, Write};
use std::net::TcpListener;

/// Returns whether a session that leases with these parameters in its URL is encrypted.
fn is_encrypted(url: &str, parameters: &str) -> leafmint::Result<bool> {
    let given = [("auto_create", "true"), ("timeout", "5s")];
    let ids = leafmint::open::segment(&format!("{url}?{parameters}"), options(given))?;
    ids.biz_tag("order")?.next_id()?;
    let sessions = "SELECT ssl FROM pg_stat_ssl NATURAL JOIN pg_stat_activity \
                    WHERE application_name = 'leafmint' ORDER BY backend_start DESC LIMIT 1";
    Ok(sql_on(url, sessions) == ["t"])
}

#[test]
fn each_mode_checks_what_it_says_and_the_log_in_is_bound_to_the_certificate() {
    let server = Crashing::with(&["--tls"]);
    let (by_address, ca) = (server.url.as_str(), server.authority.as_str());
    let by_name = &by_address.replace("127.0.0.1", "localhost");
    for (url, parameters, encrypted) in [
        (by_address, "ssl_mode=disabled", false),
        (by_address, "", true),
        (by_address, "ssl_mode=required", true),
        (by_address, "sslmode=require", true),
        (by_address, &format!("ssl_mode=verify_ca&ssl_ca={ca}"), true),
        (by_address, &format!("sslrootcert={ca}"), true),
        (by_name, &format!("ssl_mode=verify_identity&ssl_ca={ca}"), true),
        (by_name, &format!("sslmode=verify-full&sslrootcert={ca}"), true),
    ] {
        assert_eq!(is_encrypted(url, parameters), Ok(encrypted), "{parameters}");
    }
    for (url, parameters, says) in [
        (by_address, &*format!("ssl_mode=verify_identity&ssl_ca={ca}"), "not for this host"),
        (by_name, "ssl_mode=verify_identity", "UnknownIssuer"),
        (by_address, "ssl_mode=verify_ca", "UnknownIssuer"),
        (by_name, "sslrootcert=system", "UnknownIssuer"),
    ] {
        let error = is_encrypted(url, parameters).unwrap_err();
        assert!(error.message().contains(says) && !error.message().contains("hush"), "{parameters}: {error}");
    }
    let error = is_encrypted(by_name, "ssl_ca=/missing.pem").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
}

/// Answers as a server without TLS that asks for the password in clear text. Returns what the driver sent after that.
fn ask_for_the_password(at: &TcpListener, asks_to_encrypt: bool) -> Vec<u8> {
    let (mut stream, _) = at.accept().unwrap();
    let message = |stream: &mut std::net::TcpStream| {
        let mut length = [0; 4];
        stream.read_exact(&mut length).unwrap();
        let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
        stream.read_exact(&mut body).unwrap();
    };
    if asks_to_encrypt {
        message(&mut stream);
        stream.write_all(b"N").unwrap();
    }
    message(&mut stream);
    stream.write_all(b"R\0\0\0\x08\0\0\0\x03").unwrap();
    let mut sent = Vec::new();
    let _ = stream.read_to_end(&mut sent);
    sent
}

#[test]
fn a_neighbour_that_answers_at_a_port_of_this_host_gets_no_password() {
    for (host, parameters, asks_to_encrypt) in
        [("127.0.0.1", "", true), ("localhost", "", true), ("127.0.0.1", "?ssl_mode=disabled", false)]
    {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let url = format!("postgresql://app:hush@{host}:{port}/shop{parameters}");
        std::thread::scope(|scope| {
            let neighbour = scope.spawn(|| ask_for_the_password(&listener, asks_to_encrypt));
            let ids = leafmint::open::segment(&url, options([("timeout", "20s")])).unwrap();
            let error = ids.init_schema().unwrap().wait().unwrap_err();
            assert!(error.message().contains("clear text") && error.message().contains("scram-sha-256"), "{error}");
            assert_eq!(neighbour.join().unwrap(), b"", "{host}{parameters}");
        });
    }
}
