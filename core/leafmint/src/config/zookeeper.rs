//! The settings of a ZooKeeper ensemble: `zookeeper://h1,h2,h3/leaf-name`.

use super::database;
use super::params::Params;
use super::url::Url;
use leafmint_backends::sessions::{DatabaseSettings, LogIn, SslMode};
use leafmint_backends::zookeeper::problem_of_part;
use leafmint_ids::error::ConfigErrors;

/// Leaf's own root, which no URL names.
const ROOT: &str = "snowflake";

/// Most code points of Leaf's name with the chroot before it.
const MOST_CHARACTERS: usize = 255;

/// Reads the addresses of the servers, the log-in and the path.
pub(super) fn settings(url: Url, params: &Params, errors: &mut ConfigErrors) -> DatabaseSettings {
    if url.hosts.is_empty() {
        errors.add("write zookeeper://host1,host2,host3/leaf-name, or chroot/leaf-name behind the hosts");
    }
    check_path(&url.path, errors);
    let sasl = url.scheme == "zookeeper+sasl";
    let settings = DatabaseSettings { sasl, ..database::of_servers(url, params, errors) };
    if let LogIn::Configured { user, password } = &settings.log_in {
        match user {
            None if sasl || password.is_some() => {
                errors.add_of("username", "set username too: a password without one is no log-in")
            }
            Some(user) if user.contains(':') && !sasl => {
                errors.add_of("username", "username has a colon, which ends it in ZooKeeper's scheme digest");
            }
            _ => {}
        }
    }
    if params.has("ssl_mode") && settings.ssl_mode == SslMode::Preferred {
        errors.add_of(
            "ssl_mode",
            "ssl_mode=preferred is not for ZooKeeper, whose ports either expect TLS or do not: write disabled, or required, \
             verify_ca or verify_identity for a secure port",
        );
    }
    settings
}

fn check_path(path: &str, errors: &mut ConfigErrors) {
    if path.chars().count() > MOST_CHARACTERS {
        errors.add(format!("the path is longer than {MOST_CHARACTERS} characters"));
    } else if path.is_empty() {
        errors.add(
            "the path is missing: write zookeeper://host1,host2,host3/leaf-name, with the name that leaf.name has",
        );
    } else if let Some((before, name)) =
        path.rsplit_once('/').filter(|(before, _)| before.rsplit('/').next() == Some(ROOT))
    {
        let alone = format!("{}{name}", before.strip_suffix(ROOT).unwrap_or_default());
        errors.add(format!(
            "the path names Leaf's own root {ROOT}, which is added before leaf-name: write leaf-name alone, as in \
             zookeeper://host1,host2,host3/{alone}"
        ));
    } else if let Some((part, problem)) = path.split('/').find_map(|part| Some((part, problem_of_part(part)?))) {
        errors.add(format!("the part {part:?} of the path {problem}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{OptionValue, SNOWFLAKE_OPTIONS};

    fn read(text: &str, options: &[(&str, &str)]) -> (DatabaseSettings, Option<String>) {
        let mut errors = ConfigErrors::default();
        let url = Url::parse(text, &mut errors);
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), OptionValue::from(*value)));
        let params = Params::gather(&url, options, SNOWFLAKE_OPTIONS, &mut errors);
        let settings = settings(url, &params, &mut errors);
        (settings, errors.into_result("test").err().map(|error| error.message().to_owned()))
    }

    #[test]
    fn servers_and_path_are_read_and_a_chroot_comes_before_leafs_name() {
        let (settings, error) = read("zookeeper://h1,h2:2182,[::1]/shop", &[]);
        assert_eq!(error, None);
        assert_eq!(settings.hosts, [("h1".into(), 2181), ("h2".into(), 2182), ("::1".into(), 2181)]);
        assert_eq!((settings.database.as_str(), settings.sasl), ("shop", false));
        let (settings, error) = read("zookeeper+sasl://u:p@h/apps/eu/shop", &[("ssl_mode", "verify_identity")]);
        assert_eq!((error, settings.database.as_str(), settings.sasl), (None, "apps/eu/shop", true));
        assert_eq!(read("zookeeper://h/snowflake", &[]).1, None, "a Leaf may have that name");
    }

    #[test]
    fn what_cannot_work_is_refused() {
        for (url, options, part) in [
            ("zookeeper://h", &[][..], "the path is missing"),
            ("zookeeper:///shop", &[], "write zookeeper://"),
            ("zookeeper://h/a//shop", &[], "is empty"),
            ("zookeeper://h/shop/", &[], "is empty"),
            ("zookeeper://h/../shop", &[], "is relative"),
            ("zookeeper://h/snowflake/shop", &[], "write leaf-name alone, as in zookeeper://host1,host2,host3/shop"),
            ("zookeeper://h/a/snowflake/shop", &[], "as in zookeeper://host1,host2,host3/a/shop"),
            ("zookeeper://h/a%0ab", &[], "has a character that ZooKeeper refuses"),
            ("zookeeper://h/shop", &[("ssl_mode", "preferred")], "ssl_mode=preferred is not for ZooKeeper"),
            ("zookeeper://h/shop", &[("password", "p")], "set username too"),
            ("zookeeper+sasl://h/shop", &[], "set username too"),
            ("zookeeper://h/shop", &[("username", "a:b"), ("password", "p")], "username has a colon"),
        ] {
            let error = read(url, options).1.unwrap_or_default();
            assert!(error.contains(part), "{url}: {error}");
        }
    }
}
