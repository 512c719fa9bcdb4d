//! Which names a tree may have that Leaf servers read.

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
pub(crate) fn problem_of_endpoint(endpoint: &str) -> Option<String> {
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
    Some(format!("worker_mode=forever: endpoint={endpoint:?} {reason}"))
}

/// Says why a tree of this name (`leaf.name`) cannot be shared with Leaf servers; `None` if it can.
pub(crate) fn problem_of_name(name: &str) -> Option<String> {
    let text = "holds a hyphen, with which a Leaf server cannot read the number of a new node: use worker_mode=lease";
    name.contains('-').then(|| format!("worker_mode=forever: the name {name:?} {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_that_would_stop_every_leaf_server_is_refused() {
        for bad in ["pod-7:8080", "10.0.0.1", ":8080", "10.0.0.1:", "a\"b:1", "a/b:1", "a b:1", "", "主机:1"] {
            assert!(problem_of_endpoint(bad).is_some_and(|text| text.contains("worker_mode=forever")), "{bad}");
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
