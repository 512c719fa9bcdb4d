//! Forms of URLs that are not our own. What platforms print for a database is read, with its meaning; what belongs to a
//! framework is refused, with what to pass in its place.

use leafmint_backends::sessions::SslMode;
use leafmint_ids::error::ConfigErrors;

/// What a parameter that a platform prints means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PlatformParameter {
    /// Sessions have at least this security.
    Security(SslMode),
    /// The schema of the tables.
    Schema(String),
    /// An option of ours.
    Option(&'static str, String),
    /// Nothing for leafmint's few sessions.
    Nothing,
    Unknown,
}

/// Parameters for pools and drivers that change nothing for leafmint.
const NOTHING: [&str; 8] = [
    "application_name",
    "charset",
    "connection_limit",
    "pgbouncer",
    "pool_timeout",
    "reconnect",
    "statement_cache_size",
    "target_session_attrs",
];

impl PlatformParameter {
    /// Reads a parameter of a URL of this scheme.
    pub(super) fn read(scheme: &str, name: &str, value: &str, errors: &mut ConfigErrors) -> Self {
        let is_postgres = scheme == "postgresql";
        if !is_postgres && scheme != "mysql" {
            return Self::Unknown;
        }
        let lower = value.to_ascii_lowercase();
        match name.to_ascii_lowercase().as_str() {
            "sslmode" | "ssl-mode" => match ssl_mode(&lower) {
                Some(mode) => Self::Security(mode),
                None => {
                    errors.add(format!("{name}={value} is no mode of encryption: set ssl_mode"));
                    Self::Nothing
                }
            },
            "ssl" if ["true", "1"].contains(&&*lower) => Self::Security(SslMode::Required),
            "sslaccept" if lower == "strict" => Self::Security(SslMode::VerifyIdentity),
            "sslaccept" if lower == "accept_invalid_certs" => Self::Security(SslMode::Required),
            // A certificate that is checked for the host's name rules out a host in the middle as well.
            "channel_binding" if lower == "require" => Self::Security(SslMode::VerifyIdentity),
            "channel_binding" if ["prefer", "disable"].contains(&&*lower) => Self::Nothing,
            // The authorities that are built in; libpq then checks the name too.
            "sslrootcert" if is_postgres && value == "system" => Self::Security(SslMode::VerifyIdentity),
            "sslrootcert" if is_postgres => Self::Option("ssl_ca", value.to_owned()),
            "user" => Self::Option("username", value.to_owned()),
            "schema" if is_postgres => Self::Schema(value.to_owned()),
            "target_session_attrs" if !["any", "read-write", "primary"].contains(&&*lower) => Self::Unknown,
            name if NOTHING.contains(&name) => Self::Nothing,
            _ => Self::Unknown,
        }
    }
}

/// Reads the names of libpq and of MySQL's programs.
fn ssl_mode(text: &str) -> Option<SslMode> {
    match text.replace('-', "_").as_str() {
        "disabled" | "disable" => Some(SslMode::Disabled),
        "preferred" | "prefer" | "allow" => Some(SslMode::Preferred),
        "required" | "require" => Some(SslMode::Required),
        "verify_ca" => Some(SslMode::VerifyCa),
        "verify_identity" | "verify_full" => Some(SslMode::VerifyIdentity),
        _ => None,
    }
}

/// Returns what to pass in place of a URL that is a framework's, by its scheme.
pub(super) fn of_framework(scheme: &str) -> Option<String> {
    if scheme.eq_ignore_ascii_case("jdbc") || scheme.eq_ignore_ascii_case("r2dbc") {
        return Some(format!(
            "{scheme}: is read by Java's drivers: pass the DataSource or ConnectionFactory, as in \
             SegmentGenerator.open(dataSource); without Java write mysql://user:password@host/database"
        ));
    }
    let (kind, driver) = scheme.split_once('+')?;
    let is_sqlalchemys = ["mysql", "mariadb", "postgresql", "postgres", "sqlite"].contains(&kind) && driver != "srv";
    is_sqlalchemys.then(|| {
        format!(
            "{scheme}: is read by SQLAlchemy: pass the engine, as in SegmentGenerator(engine) or leafmint.configure(engine), or \
             write {kind}:// without +{driver}"
        )
    })
}

/// Returns why hosts or a path are in no form that is read: what stands behind a semicolon or in parentheses would
/// become part of a name.
pub(super) fn refused(location: &str) -> Option<&'static str> {
    let text = "write //host1,host2/database?name=value, and %3B for a ; in a name: no other form is read";
    location.contains([';', '(']).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(scheme: &str, pair: &str) -> Result<PlatformParameter, String> {
        let (mut errors, (name, value)) = (ConfigErrors::default(), pair.split_once('=').unwrap());
        let found = PlatformParameter::read(scheme, name, value, &mut errors);
        errors.into_result("test").map(|()| found).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn what_platforms_print_has_its_meaning() {
        use PlatformParameter::{Nothing, Option, Schema, Security, Unknown};
        for (scheme, pair, meaning) in [
            ("mysql", "ssl-mode=REQUIRED", Security(SslMode::Required)),
            ("mysql", "sslaccept=strict", Security(SslMode::VerifyIdentity)),
            ("mysql", "reconnect=true", Nothing),
            ("postgresql", "user=shop", Option("username", "shop".into())),
            ("postgresql", "sslmode=require", Security(SslMode::Required)),
            ("postgresql", "sslmode=verify-full", Security(SslMode::VerifyIdentity)),
            ("postgresql", "channel_binding=require", Security(SslMode::VerifyIdentity)),
            ("postgresql", "sslrootcert=system", Security(SslMode::VerifyIdentity)),
            ("postgresql", "sslrootcert=/etc/ca.pem", Option("ssl_ca", "/etc/ca.pem".to_owned())),
            ("postgresql", "schema=shop", Schema("shop".to_owned())),
            ("postgresql", "pgbouncer=true", Nothing),
            ("postgresql", "connection_limit=1", Nothing),
            ("postgresql", "target_session_attrs=read-write", Nothing),
            ("postgresql", "target_session_attrs=standby", Unknown),
            ("postgresql", "options=-csearch_path=shop", Unknown),
            ("mysql", "schema=shop", Unknown),
            ("tickets", "sslmode=require", Unknown),
        ] {
            assert_eq!(read(scheme, pair), Ok(meaning), "{scheme} {pair}");
        }
        assert!(read("postgresql", "sslmode=maybe").unwrap_err().contains("sslmode=maybe"));
    }

    #[test]
    fn the_url_of_a_framework_is_refused_with_what_to_pass() {
        for (scheme, part) in [
            ("jdbc", "SegmentGenerator.open(dataSource)"),
            ("r2dbc", "ConnectionFactory"),
            ("mysql+pymysql", "SegmentGenerator(engine)"),
            ("postgresql+psycopg_async", "leafmint.configure(engine)"),
        ] {
            let text = of_framework(scheme).unwrap();
            assert!(text.contains(part), "{text}");
        }
        for scheme in ["mysql", "zookeeper+sasl", "mysql+srv", "oracle"] {
            assert_eq!(of_framework(scheme), None, "{scheme}");
        }
    }
}
