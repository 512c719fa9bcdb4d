//! Connects over TCP.

use super::failure::{Failure, Outcome};
use super::settings::DatabaseSettings;
use crate::host_names;
use std::io;
use std::net::IpAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Connects to one of the host's addresses that answers.
pub(crate) async fn connect(settings: &DatabaseSettings, name: &str, port: u16) -> Outcome<TcpStream> {
    let addresses = in_any_order(host_names::addresses(name).await?);
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
