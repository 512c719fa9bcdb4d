//! The hosts of a fail-over list.

use super::servers::{self, Opens};
use super::url::Url;
use leafmint_ids::error::ConfigErrors;

/// Returns the hosts of a fail-over list, each with its port and with the URL of that host alone.
///
/// Returns none for a single host, for servers that do not share one data set, and for a URL that is invalid, which the
/// opening of a generator refuses.
pub fn hosts_of(text: &str) -> Vec<(String, String)> {
    let mut errors = ConfigErrors::default();
    let url = Url::parse(text, &mut errors);
    let server = servers::of_scheme(&url.scheme).filter(|server| matches!(server.store, Opens::Database(_)));
    let (Some(port), Ok(()), Some((scheme, rest))) =
        (server.and_then(|server| server.port), errors.into_result("hosts"), text.split_once("://"))
    else {
        return Vec::new();
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (login, hosts) = authority.rfind('@').map_or(("", authority), |at| authority.split_at(at + 1));
    if url.hosts.len() < 2 {
        return Vec::new();
    }
    let alone = |host: &str| format!("{scheme}://{login}{host}{path}");
    let named = |(host, written): &(String, Option<u16>)| format!("{host}:{}", written.unwrap_or(port));
    url.hosts.iter().map(named).zip(hosts.split(',').map(alone)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_of_a_list_has_a_url_with_login_path_and_options() {
        let pairs = |text: &str| -> Vec<(String, String)> { hosts_of(text) };
        assert_eq!(
            pairs("mariadb://u:p%40w@db1,[::1]:3307/shop?timeout=2s"),
            [
                ("db1:3306".into(), "mariadb://u:p%40w@db1/shop?timeout=2s".into()),
                ("::1:3307".into(), "mariadb://u:p%40w@[::1]:3307/shop?timeout=2s".into()),
            ]
        );
        assert_eq!(pairs("postgresql://h1,h2/shop")[1], ("h2:5432".into(), "postgresql://h2/shop".into()));
    }

    #[test]
    fn what_is_no_list_over_one_data_set_has_none() {
        for text in [
            "mysql://db1/shop",
            "tickets://db1,db2/shop",
            "zookeeper://zk1,zk2/leaf",
            "sqlite:///a,b.db",
            "memory:",
            "mysql://db1,db2:x/shop",
            "",
        ] {
            assert_eq!(hosts_of(text), [], "{text}");
        }
    }
}
