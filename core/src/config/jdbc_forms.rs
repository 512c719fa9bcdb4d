//! The forms of JDBC URLs that name something that leafmint cannot connect to.

/// What stands behind `jdbc:`, and why it is refused.
const REFUSED: [(&str, &str); 10] = [
    ("aws-wrapper", WRAPPER),
    ("p6spy", WRAPPER),
    ("otel", WRAPPER),
    ("log4jdbc", WRAPPER),
    ("tc", "it starts a container: pass on the URL that the running container reports"),
    ("mysql+srv", SRV),
    ("mariadb+srv", SRV),
    ("oracle", NO_STORE),
    ("sqlserver", NO_STORE),
    ("h2", "there is no store for H2: write jdbc:sqlite:file.db, or memory: in tests"),
];

const WRAPPER: &str = "leafmint uses no JDBC driver, so none can be wrapped: write jdbc:mysql://host/database";
const SRV: &str = "leafmint looks up no SRV records: write jdbc:mysql://host1,host2/database";
const NO_STORE: &str = "there is no store for that database: MySQL, MariaDB, PostgreSQL and SQLite have one";

/// Returns why a form is refused, by the part of the URL between `jdbc:` and the next colon.
pub(super) fn refusal(scheme: &str) -> Option<String> {
    let lower = scheme.to_ascii_lowercase();
    let (name, why) = REFUSED.iter().find(|(name, _)| *name == lower)?;
    Some(format!("the form jdbc:{name}: is not served: {why}"))
}

/// Returns why hosts in parentheses are refused, as in `address=(host=db)(port=3306)` and `(host=db,port=3306)`.
pub(super) fn refused_hosts(hosts: &str) -> Option<&'static str> {
    let served = !hosts.contains('(') && !hosts.to_ascii_lowercase().starts_with("address=");
    let form = "the form address=(host=db)(port=3306) is not served: write db:3306, or db1:3306,db2:3306";
    if served { refused_parameters(hosts) } else { Some(form) }
}

/// Returns why parameters behind a semicolon are refused, as in `db;user=app`. They would become a part of a name.
pub(super) fn refused_parameters(location: &str) -> Option<&'static str> {
    let form = "the form //host/database;name=value is not served: write //host/database?name=value, and %3B for a ; in a name";
    location.contains(';').then_some(form)
}
