//! Fuzz targets: URLs, options and the parameters of JDBC URLs.

use super::url::Url;
use super::{OptionValue, SegmentConfig, Shape, SnowflakeConfig, StoreConfig, value};
use leafmint_backends::sessions::SslMode;
use leafmint_fuzz::{assert_refusal, fuzz};
use leafmint_ids::error::{ConfigErrors, Error, ErrorKind};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

const SECRET: &str = "s3ntinel";

#[test]
fn fuzz_urls() {
    fuzz("urls", Vec::new(), |input| {
        let text = String::from_utf8_lossy(input);
        let parsed = parse(&text);
        if let Ok(url) = &parsed {
            assert_eq!(parse(&print(url)).as_ref(), Ok(url), "{} is another URL", print(url));
        }
        let opened = open(&text, None);
        assert!(opened.iter().all(Result::is_err) || parsed.is_ok(), "a URL with problems was accepted");
        opened.map(|opened| opened.map_or_else(|error| error.to_string(), |_| "accepted".to_owned())).join(" ")
    });
}

#[test]
fn fuzz_passwords_in_urls() {
    fuzz("passwords", Vec::new(), |input| {
        let text = String::from_utf8_lossy(input).replace('@', "");
        let mut outcomes = Vec::new();
        for url in [format!("mysql://u:{SECRET}{text}{SECRET}@h/db"), format!("mysql://u:{SECRET}{text}")] {
            for scheme in ["", "jdbc:", "mysqlx"] {
                for error in open(&format!("{scheme}{url}"), None).into_iter().filter_map(Result::err) {
                    assert!(!error.message().contains(SECRET), "{error}");
                    outcomes.push(error.to_string());
                }
            }
        }
        outcomes.join(" ")
    });
}

#[test]
fn fuzz_options() {
    fuzz("options", Vec::new(), |input| {
        let text = String::from_utf8_lossy(input);
        // A vector that grows holds its options twice, which would count as memory of the parser.
        let mut options = Vec::with_capacity(2 + text.matches('\n').count());
        options.push(("password".to_owned(), OptionValue::from(SECRET)));
        for line in text.split('\n') {
            let (name, value) = line.split_once('=').unwrap_or((line, ""));
            let value = match value.strip_prefix('[') {
                Some(items) => OptionValue::List(items.split('|').map(str::to_owned).collect()),
                None => OptionValue::from(value),
            };
            options.push((name.to_owned(), value));
        }
        let mut outcomes = Vec::new();
        for url in ["mysql://h/db", "sqlite:///a.db", "local:dir", "fixed:7"] {
            for opened in open(url, Some(&options)) {
                if let Err(error) = &opened
                    && !text.contains(SECRET)
                {
                    assert!(!error.message().contains(SECRET), "{error}");
                }
                outcomes.push(opened.map_or_else(|error| error.to_string(), |_| "accepted".to_owned()));
            }
        }
        if let Ok(duration) = value::duration("timeout", &text) {
            let printed = humantime::format_duration(duration).to_string();
            assert_eq!(value::duration("timeout", &printed), Ok(duration), "{printed}");
        }
        let any = Shape::Count { min: i64::MIN, max: i64::MAX };
        if let Ok(OptionValue::Count(count)) = any.read("max_step", text.as_ref().into()) {
            assert_eq!(any.read("max_step", count.to_string().into()), Ok(count.into()));
        }
        outcomes.join(" ")
    });
}

#[test]
fn fuzz_parameters_of_platforms() {
    fuzz("platform", Vec::new(), |input| {
        let url = format!("mysql://h/db?{}", String::from_utf8_lossy(input));
        let Ok(config) = SegmentConfig::parse(&url, []) else {
            return open(&url, None)[0].as_ref().unwrap_err().to_string();
        };
        let StoreConfig::MySql(settings) = config.store else { panic!("{url} is no database") };
        let parameters = parse(&url).unwrap().parameters;
        let is_explicit = parameters.iter().any(|(name, _)| name == "ssl_mode");
        for (name, value) in parameters {
            let (name, value) = (name.to_ascii_lowercase(), value.to_ascii_lowercase().replace('-', "_"));
            let least = match (name.as_str(), value.as_str()) {
                ("sslmode" | "ssl-mode", "required" | "require") | ("ssl", "true" | "1") => SslMode::Required,
                ("sslmode" | "ssl-mode" | "ssl_ca", "verify_ca") => SslMode::VerifyCa,
                ("sslmode" | "ssl-mode", "verify_identity" | "verify_full") | ("sslaccept", "strict") => {
                    SslMode::VerifyIdentity
                }
                _ => continue,
            };
            assert!(is_explicit || settings.ssl_mode >= least, "{name}={value} is opened with {:?}", settings.ssl_mode);
        }
        format!("{:?}", settings.ssl_mode)
    });
}

/// Parses the URL for both kinds of generator, without a connection, and checks what must hold for every refusal.
fn open(url: &str, options: Option<&[(String, OptionValue)]>) -> [Result<(), Error>; 2] {
    let options = || options.unwrap_or_default().iter().cloned();
    let opened = [SegmentConfig::parse(url, options()).map(drop), SnowflakeConfig::parse(url, options()).map(drop)];
    for error in opened.iter().filter_map(|opened| opened.as_ref().err()) {
        assert_refusal(error, &[ErrorKind::InvalidConfig]);
    }
    opened
}

fn parse(text: &str) -> Result<Url, Error> {
    let mut errors = ConfigErrors::default();
    let url = Url::parse(text, &mut errors);
    errors.into_result("the URL").map(|()| url)
}

/// Writes a URL with every character escaped that may be.
fn print(url: &Url) -> String {
    let escape = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let mut text = format!("{}:", url.scheme);
    if url.opaque.is_empty() {
        let user = url.user.as_deref().map(escape);
        let password = url.password.as_deref().map(|word| format!(":{}", escape(word)));
        let login = user.unwrap_or_default() + &password.unwrap_or_default();
        let port = |port: &Option<u16>| port.map_or(String::new(), |port| format!(":{port}"));
        let hosts: Vec<String> = url.hosts.iter().map(|(host, number)| escape(host) + &port(number)).collect();
        let at = if login.is_empty() { "" } else { "@" };
        text += &format!("//{login}{at}{}/{}", hosts.join(","), escape(&url.path));
    } else {
        text += &escape(&url.opaque);
    }
    let pair = |(name, value): &(String, String)| format!("{}={}", escape(name), escape(value));
    let query: Vec<String> = url.parameters.iter().map(pair).collect();
    text + "?" + &query.join("&")
}
