//! The parameters that Java's drivers take in a URL, in any case: those of Connector/J and of MariaDB's connector.
//!
//! A name with a capital letter is no option of leafmint, so that these lists need not be complete.

use super::driver_parameters::DriverParameter;

/// Parameters without effect on leafmint's own connection, in lower case.
const NOT_NEEDED: [&str; 50] = [
    "allowlocalinfile",
    "allowmultiqueries",
    "allowurlinlocalinfile",
    "autoreconnect",
    "cachecallablestmts",
    "cachecodecs",
    "cacheprepstmts",
    "cacheresultsetmetadata",
    "cacheserverconfiguration",
    "characterencoding",
    "characterset",
    "clientinfoprovider",
    "connectioncollation",
    "connectionlifecycleinterceptors",
    "connectiontimezone",
    "connecttimeout",
    "defaultfetchsize",
    "elidesetautocommits",
    "failoverreadonly",
    "forceconnectiontimezonetosession",
    "initialtimeout",
    "jdbccompliantcolumnnames",
    "jdbccomplianttruncation",
    "logger",
    "maintaintimestats",
    "maxallowedpacket",
    "maxreconnects",
    "maxrows",
    "nullcatalogmeanscurrent",
    "pool",
    "prepstmtcachesize",
    "prepstmtcachesqllimit",
    "profilesql",
    "queryinterceptors",
    "querytimeoutkillsconnection",
    "rewritebatchedstatements",
    "servertimezone",
    "sessionvariables",
    "sockettimeout",
    "tcpkeepalive",
    "tcpnodelay",
    "timezone",
    "tinyint1isbit",
    "useaffectedrows",
    "usecompression",
    "usecursorfetch",
    "useinformationschema",
    "uselegacydatetimecode",
    "useunicode",
    "zerodatetimebehavior",
];

/// Parameters that leafmint cannot obey, in lower case, and what to do instead.
const REFUSED: [(&str, &str); 11] = [
    (
        "socketfactory",
        "leafmint connects over TCP: name a host, or run the proxy of your cloud next to the application",
    ),
    ("cloudsqlinstance", "leafmint connects over TCP: run the Cloud SQL proxy and name its host"),
    ("localsocket", "leafmint connects over TCP: name a host"),
    ("pipe", "leafmint connects over TCP: name a host"),
    ("namedpipepath", "leafmint connects over TCP: name a host"),
    ("clientcertificatekeystoreurl", "leafmint sends no client certificate: log in by a password"),
    ("keystore", "leafmint sends no client certificate: log in by a password"),
    ("enabledsslciphersuites", "leafmint chooses the cipher: use TLS 1.2 or 1.3"),
    ("tlsciphersuites", "leafmint chooses the cipher: use TLS 1.2 or 1.3"),
    ("credentialtype", "leafmint does not ask a cloud for the password: give user and password"),
    ("dnssrv", "leafmint looks up no SRV records: name the hosts, as host1,host2"),
];

/// Returns what a parameter of a JDBC URL means for leafmint, apart from those about security.
pub(super) fn parameter(name: &str) -> DriverParameter {
    let lower = name.to_ascii_lowercase();
    if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == lower) {
        return DriverParameter::Refused(instead);
    }
    if name != lower || NOT_NEEDED.contains(&lower.as_str()) {
        return DriverParameter::NotNeeded;
    }
    DriverParameter::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{OPTIONS, SNOWFLAKE_OPTIONS};

    #[test]
    fn no_name_of_a_driver_hides_an_option() {
        for option in OPTIONS.iter().chain(SNOWFLAKE_OPTIONS) {
            assert_eq!(parameter(option.name), DriverParameter::Unknown, "{}", option.name);
        }
    }

    #[test]
    fn names_are_listed_in_lower_case() {
        let names = NOT_NEEDED.iter().chain(REFUSED.iter().map(|(name, _)| name));
        assert!(names.clone().all(|name| *name == name.to_ascii_lowercase()));
        assert!(NOT_NEEDED.is_sorted());
    }
}
