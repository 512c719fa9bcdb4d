//! Names and data of Leaf's nodes.

/// A node of Leaf's tree, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeafName {
    pub(super) name: String,
    pub(super) endpoint: String,
    pub(super) number: i64,
}

impl LeafName {
    /// Reads `{ip:port}-{number}`; `None` if it is anything else, which no Leaf server could read either.
    pub(super) fn parse(name: &str) -> Option<Self> {
        let (endpoint, number) = name.rsplit_once('-')?;
        let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        let number = number.parse().ok().filter(|_| is_number && !endpoint.contains('-'))?;
        Some(Self { name: name.to_owned(), endpoint: endpoint.to_owned(), number })
    }
}

/// Returns what Leaf writes into its node: these fields and no other, or that Leaf does not start any more.
pub(super) fn data(endpoint: &LeafEndpoint, timestamp: i64) -> Vec<u8> {
    let LeafEndpoint { ip, port } = endpoint;
    format!(r#"{{"ip":"{ip}","port":"{port}","timestamp":{timestamp}}}"#).into_bytes()
}

/// Reads the timestamp of a node.
pub(super) fn timestamp(data: &[u8]) -> Option<i64> {
    number_field(data, "timestamp")
}

/// Reads a number of a flat JSON object whose texts hold no comma.
pub(crate) fn number_field(data: &[u8], name: &str) -> Option<i64> {
    let fields = std::str::from_utf8(data).ok()?.trim().strip_prefix('{')?.strip_suffix('}')?;
    let mut values = fields.split(',').filter_map(|field| field.split_once(':'));
    let value = values.find(|(key, _)| key.trim().trim_matches('"') == name)?.1;
    value.trim().parse().ok()
}

/// The endpoint of a process, as Leaf puts it into names and data of nodes.
#[derive(Clone, Debug)]
pub(super) struct LeafEndpoint {
    pub(super) ip: String,
    pub(super) port: String,
}

impl LeafEndpoint {
    /// Splits `ip:port`; what it is not was refused before.
    pub(super) fn of(text: &str) -> Self {
        let (ip, port) = text.rsplit_once(':').unwrap_or((text, ""));
        Self { ip: ip.to_owned(), port: port.to_owned() }
    }
}

/// Says why an endpoint cannot be used beside Leaf servers; `None` if it can.
pub fn problem_of_endpoint(endpoint: &str) -> Option<String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".:_[]%".contains(letter);
    let reason = if endpoint.contains('-') {
        "holds a hyphen, with which no Leaf server of the tree would start any more"
    } else if endpoint.rsplit_once(':').is_none_or(|(ip, port)| ip.is_empty() || port.is_empty()) {
        "is not of the form ip:port"
    } else if !endpoint.chars().all(is_plain) {
        "holds a character that Leaf's nodes do not have"
    } else {
        return None;
    };
    Some(format!("worker_mode=leaf: endpoint={endpoint:?} {reason}"))
}

/// Says why a tree of this name (`leaf.name`) cannot be shared with Leaf servers; `None` if it can.
pub fn problem_of_name(name: &str) -> Option<String> {
    let text = "holds a hyphen, with which a Leaf server cannot read the number of a new node: use worker_mode=lease";
    name.contains('-').then(|| format!("worker_mode=leaf: the name {name:?} {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_holds_exactly_what_leaf_writes() {
        let written = data(&LeafEndpoint::of("10.0.0.1:8080"), 1_793_491_200_000);
        assert_eq!(written, br#"{"ip":"10.0.0.1","port":"8080","timestamp":1793491200000}"#);
        assert_eq!(timestamp(&written), Some(1_793_491_200_000));
        assert_eq!(timestamp(br#" { "timestamp" : -5 , "ip" : "fe80::1" } "#), Some(-5));
    }

    #[test]
    fn what_leaf_did_not_write_has_no_timestamp() {
        for data in
            ["", "{}", "5", r#"{"timestamp":"5"}"#, r#"{"timestamp":99999999999999999999}"#, r#"{"timestamp":5"#]
        {
            assert_eq!(timestamp(data.as_bytes()), None, "{data}");
        }
        assert_eq!(timestamp(&[0xff]), None);
    }

    #[test]
    fn a_name_is_an_endpoint_and_a_number() {
        let name = LeafName::parse("10.0.0.1:8080-0000000012").unwrap();
        assert_eq!((name.endpoint.as_str(), name.number), ("10.0.0.1:8080", 12));
        for bad in ["", "bad", "10.0.0.1:8080-", "a-b:1-0000000001", "a:1-+5", "a:1-x"] {
            assert_eq!(LeafName::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_endpoint_that_would_stop_every_leaf_server_is_refused() {
        for bad in ["pod-7:8080", "10.0.0.1", ":8080", "10.0.0.1:", "a\"b:1", "a/b:1", "a b:1", "", "主机:1"] {
            assert!(problem_of_endpoint(bad).is_some_and(|text| text.contains("worker_mode=leaf")), "{bad}");
        }
        for good in ["10.0.0.1:8080", "fe80::1%eth0:8080", "host_a.example:80"] {
            assert_eq!(problem_of_endpoint(good), None);
        }
        let LeafEndpoint { ip, port } = LeafEndpoint::of("fe80::1:8080");
        assert_eq!((ip.as_str(), port.as_str()), ("fe80::1", "8080"));
    }

    #[test]
    fn a_name_with_a_hyphen_is_refused() {
        assert!(problem_of_name("my-shop").is_some());
        assert_eq!(problem_of_name("com.sankuai.leaf"), None);
    }
}
