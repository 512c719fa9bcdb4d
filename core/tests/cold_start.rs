//! From nothing to the first id: how many round trips it takes, how many connections, and that nothing is sent in
//! plaintext to a server that speaks TLS.

use crate::stores::proxy::{TLS, pass_greeting, tls_flag};
use crate::stores::{Table, mysql_url, options, sql};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Serves each connection to a free port on a thread of its own, with its number from 0. Returns a URL for that port.
fn serve(serve: impl Fn(usize, TcpStream) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (server, address) = (server(), listener.local_addr().unwrap().to_string());
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for (number, client) in listener.incoming().flatten().enumerate() {
            client.set_nodelay(true).unwrap();
            let serve = serve.clone();
            thread::spawn(move || serve(number, client));
        }
    });
    mysql_url().replace(&server, &address)
}

/// Returns the host and the port of the MariaDB.
fn server() -> String {
    let options = mysql_async::Opts::from_url(&mysql_url()).unwrap();
    format!("{}:{}", options.ip_or_hostname(), options.tcp_port())
}

/// Connects to the MariaDB as one connects to a server that is a round trip away: the handshake and the greeting take
/// one each.
fn dial(round_trip: Duration) -> TcpStream {
    thread::sleep(2 * round_trip);
    let server = TcpStream::connect(server()).unwrap();
    server.set_nodelay(true).unwrap();
    server
}

/// Forwards both directions until one end closes, as a server without TLS. What the client sends is held back for a
/// round trip.
fn forward(mut client: TcpStream, mut server: TcpStream, round_trip: Duration) {
    if pass_greeting(&server, &client).is_err() {
        return;
    }
    let (mut answers, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    thread::spawn(move || {
        let _ = std::io::copy(&mut answers, &mut to_client);
        let _ = to_client.shutdown(Shutdown::Both);
    });
    let mut buffer = [0; 65_536];
    while let Ok(length @ 1..) = client.read(&mut buffer) {
        thread::sleep(round_trip);
        if server.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
    let _ = server.shutdown(Shutdown::Both);
}

/// A table with a tag, and the table of its gene bits.
fn table() -> Table {
    let table = Table::of_leaf();
    sql(&format!("INSERT INTO `{table}` (biz_tag, max_id, step) VALUES ('order', 1, 1000)"));
    let ids = leafmint::open::segment(&mysql_url(), options([("table", &table.0)])).unwrap();
    ids.init_schema().unwrap().wait().unwrap();
    table
}

#[test]
fn from_nothing_the_first_id_of_a_server_without_tls_takes_four_round_trips() {
    let round_trip = Duration::from_millis(250);
    let table = table();
    let url = serve(move |_, client| forward(client, dial(round_trip), round_trip));
    for mode in ["disabled", "preferred"] {
        let trips = || {
            let given = [("table", table.0.as_str()), ("ssl_mode", mode), ("timeout", "30s")];
            let ids = leafmint::open::segment(&url, options(given)).unwrap();
            let began = Instant::now();
            ids.biz_tag("order").unwrap().next_id().unwrap();
            began.elapsed().as_secs_f64() / round_trip.as_secs_f64()
        };
        // A busy machine makes a try longer, never shorter.
        let least = (0..10).map(|_| trips()).find(|&trips| trips < 5.0);
        println!("{mode}: {least:?}");
        assert!(least.is_some_and(|trips| trips >= 4.0), "{mode}: {least:?} round trips");
    }
}

#[test]
fn nothing_but_the_request_to_encrypt_is_sent_in_plaintext_to_a_server_that_speaks_tls() {
    let received = Arc::new(Mutex::new(Vec::new()));
    let all = received.clone();
    let url = serve(move |_, mut client| {
        let mut server = dial(Duration::ZERO);
        let mut greeting = [0; 1024];
        let length = server.read(&mut greeting).unwrap();
        greeting[tls_flag(&greeting).unwrap()] |= TLS;
        client.write_all(&greeting[..length]).unwrap();
        let mut request = [0; 36];
        let length = client.read(&mut request).unwrap_or(0);
        all.lock().unwrap().push(request[..length].to_vec());
    });
    let requests = || received.lock().unwrap().iter().filter(|bytes| !bytes.is_empty()).cloned().collect::<Vec<_>>();
    for call in 0.. {
        let given = [("ssl_mode", "preferred"), ("timeout", "500ms")];
        let ids = leafmint::open::segment(&url, options(given)).unwrap();
        ids.biz_tag("order").unwrap().next_id().unwrap_err();
        if call >= 3 && requests().len() >= 10 {
            break;
        }
        assert!(call < 40, "{:?}", received.lock().unwrap());
    }
    for request in requests() {
        assert_eq!((request[0], request.len()), (32, 36), "a request to encrypt, which has no name: {request:?}");
        assert_eq!(request[5] & TLS, TLS, "{request:?}");
    }
}

#[test]
fn if_a_server_takes_one_connection_at_a_time_a_server_without_tls_is_dialled_again() {
    let table = table();
    let dials = Arc::new(AtomicUsize::new(0));
    let count = dials.clone();
    let url = serve(move |number, client| {
        count.fetch_add(1, Ordering::SeqCst);
        // The second one is closed without a greeting.
        if number != 1 {
            forward(client, dial(Duration::from_millis(50)), Duration::ZERO);
        }
    });
    let ids = leafmint::open::segment(&url, options([("table", table.0.as_str())])).unwrap();
    ids.biz_tag("order").unwrap().next_id().unwrap();
    assert_eq!(dials.load(Ordering::SeqCst), 3);
}
