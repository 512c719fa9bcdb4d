//! Looks host names up, and connects over TCP. The system's look-up blocks while its name servers are silent, often for
//! half a minute.

use super::error_meaning::{Failure, Outcome};
use super::settings::DatabaseSettings;
use leafmint_engine::runtime::background::connecting;
use leafmint_engine::runtime::process::PerProcess;
use leafmint_engine::sync::Mutex;
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Connects to one of the host's addresses that answers.
pub async fn connect(settings: &DatabaseSettings, name: &str, port: u16) -> Outcome<TcpStream> {
    let addresses = in_any_order(addresses(name).await?);
    first_that_answers(&addresses, port, settings.connect_timeout).await
}

/// Shuffles addresses, so that a frozen server whose kernel still accepts is not chosen each time. Those of the family
/// that the system prefers stay in front.
fn in_any_order(mut addresses: Vec<IpAddr>) -> Vec<IpAddr> {
    let preferred = addresses.first().is_some_and(IpAddr::is_ipv6);
    fastrand::shuffle(&mut addresses);
    addresses.sort_by_key(|address| address.is_ipv6() != preferred);
    addresses
}

/// Tries each address for its share of the time, so that one that is silent does not hide those behind it.
async fn first_that_answers(addresses: &[IpAddr], port: u16, longest: Duration) -> Outcome<TcpStream> {
    let share = longest / (addresses.len() as u32 + 1);
    let mut failed = Failure::broken("the host has no address");
    for address in addresses {
        let connecting = TcpStream::connect((*address, port));
        // The caller sets the deadline of a single address.
        let connected = match addresses.len() {
            1 => connecting.await,
            _ => timeout(share, connecting).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())),
        };
        match connected.and_then(|stream| stream.set_nodelay(true).map(|()| stream)) {
            Ok(stream) => return Ok(stream),
            Err(error) => failed = Failure::of_io(&error, format!("{address}: {error}")),
        }
    }
    Err(failed)
}

type Answer = Result<Vec<IpAddr>>;
type Waiting = BTreeMap<String, Vec<oneshot::Sender<Answer>>>;

/// The callers that wait for each name. A silent name server costs one thread per name, whatever the number of callers.
static WAITING: PerProcess<Mutex<Waiting>> = PerProcess::first(Mutex::new(BTreeMap::new()));

/// Returns the addresses of a host. The caller sets the deadline; a look-up that takes longer continues, and serves
/// later callers.
///
/// Raises `store_unavailable`.
pub(crate) async fn addresses(host: &str) -> Answer {
    if let Ok(address) = host.parse() {
        return Ok(vec![address]);
    }
    let (sender, addresses) = oneshot::channel();
    if join(host, sender) {
        let name = host.to_owned();
        if let Err(error) = connecting().push(move || answer(&name, look_up)) {
            answer(host, |_| Err(error));
        }
    }
    addresses.await.unwrap_or_else(|_| Err(failed(host, "the look-up ended without an answer")))
}

/// Adds a caller that waits for a name. Returns whether it is the first, so that it has to look the name up.
fn join(host: &str, sender: oneshot::Sender<Answer>) -> bool {
    let mut waiting = waiting().lock();
    match waiting.get_mut(host) {
        Some(others) => {
            others.retain(|other| !other.is_closed());
            others.push(sender);
            false
        }
        None => waiting.insert(host.to_owned(), vec![sender]).is_none(),
    }
}

/// Looks a name up and answers all callers that wait for it, unless all have given up.
fn answer(host: &str, look_up: impl FnOnce(&str) -> Answer) {
    {
        let mut waiting = waiting().lock();
        if waiting.get(host).is_none_or(|all| all.iter().all(oneshot::Sender::is_closed)) {
            waiting.remove(host);
            return;
        }
    }
    let addresses = look_up(host);
    for sender in waiting().lock().remove(host).unwrap_or_default() {
        let _ = sender.send(addresses.clone());
    }
}

fn look_up(host: &str) -> Answer {
    let found = (host, 0).to_socket_addrs().map_err(|error| failed(host, &error.to_string()).with_io_source(&error))?;
    let mut addresses: Vec<IpAddr> = found.map(|address| address.ip()).collect();
    addresses.dedup();
    if addresses.is_empty() { Err(failed(host, "it has no address")) } else { Ok(addresses) }
}

fn failed(host: &str, cause: &str) -> Error {
    let error =
        Error::new(ErrorKind::StoreUnavailable, format!("the host name {host} could not be looked up: {cause}"));
    error.during(format_args!("looking up the host name {host}"))
}

fn waiting() -> &'static Mutex<Waiting> {
    WAITING.get(|_| Mutex::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use tokio::net::TcpSocket;

    #[test]
    fn each_address_comes_first_some_time_if_its_family_is_preferred() {
        let addresses: Vec<IpAddr> = ["10.0.0.1", "::1", "10.0.0.2"].map(|text| text.parse().unwrap()).into();
        let orders: Vec<Vec<IpAddr>> = (0..200).map(|_| in_any_order(addresses.clone())).collect();
        assert!(orders.iter().all(|order| order.len() == 3 && order[2] == addresses[1]), "{orders:?}");
        for address in [addresses[0], addresses[2]] {
            assert!(orders.iter().any(|order| order[0] == address), "{address}");
        }
    }

    #[tokio::test]
    async fn an_address_that_is_silent_does_not_hide_those_behind_it() {
        let silent = TcpSocket::new_v4().unwrap();
        silent.bind(([127, 0, 0, 1], 0).into()).unwrap();
        // It takes no connection beyond the first.
        let silent = silent.listen(0).unwrap();
        let port = silent.local_addr().unwrap().port();
        let _first = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        let _answers = TcpListener::bind(("127.0.0.2", port)).unwrap();
        let addresses = ["127.0.0.1", "127.0.0.2"].map(|address| address.parse().unwrap());
        let connected = timeout(Duration::from_secs(6), first_that_answers(&addresses, port, Duration::from_secs(6)));
        let stream = connected.await.expect("the first address took all the time").ok().unwrap();
        assert_eq!(stream.peer_addr().unwrap().ip(), addresses[1]);
    }
}
