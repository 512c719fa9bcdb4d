//! What the nodes hold: text that an operator can read, and that is believed only if it is exactly as written here.

use crate::rows::NewRow;
use leafmint_ids::text::{beginning, printable};

const WORKER: &str = "leafmint worker id 1";
const LAYOUT: &str = "leafmint layout 1";

/// What the node of a worker id holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WorkerText {
    /// `None` once released.
    pub(super) token: Option<String>,
    pub(super) horizon: i64,
    /// The owner's clock at the last change, in Unix milliseconds.
    pub(super) reported: i64,
    pub(super) endpoint: String,
}

impl WorkerText {
    pub(super) fn of(new: &NewRow) -> Self {
        let NewRow { version, reported, endpoint } = new.clone();
        Self { token: Some(version.token.to_string()), horizon: version.horizon, reported, endpoint }
    }

    /// Returns whether the worker id has no owner at a moment, and its horizon is before `until`.
    pub(super) fn may_rest(&self, until: i64, now: i64) -> bool {
        self.horizon < until && (self.token.is_none() || self.horizon <= now)
    }

    pub(super) fn to_text(&self) -> String {
        let Self { token, horizon, reported, endpoint } = self;
        let token = token.as_deref().unwrap_or("none");
        format!("{WORKER}\ntoken {token}\nhorizon {horizon}\nreported {reported}\nendpoint {endpoint}\nend\n")
    }

    /// Reads what [`WorkerText::to_text`] wrote; `None` if it is anything else.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let rest = text.strip_prefix(WORKER)?.strip_prefix("\ntoken ")?;
        let (token, rest) = rest.split_once("\nhorizon ")?;
        let (horizon, rest) = rest.split_once("\nreported ")?;
        let (reported, rest) = rest.split_once("\nendpoint ")?;
        let endpoint = rest.strip_suffix("\nend\n")?.to_owned();
        let token = Some(token).filter(|token| *token != "none");
        let parsed = Self {
            token: token.map(str::to_owned),
            horizon: horizon.parse().ok()?,
            reported: reported.parse().ok()?,
            endpoint,
        };
        let is_token =
            token.is_none_or(|token| token.len() == 32 && token.bytes().all(|digit| digit.is_ascii_hexdigit()));
        (is_token && parsed.to_text() == text).then_some(parsed)
    }
}

/// Returns what the node of the layout holds.
pub(super) fn of_layout(layout: &str) -> String {
    format!("{LAYOUT}\n{layout}\n")
}

/// Reads what [`of_layout`] wrote; `None` if it is anything else.
pub(super) fn parse_layout(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    text.strip_prefix(LAYOUT)?.strip_prefix('\n')?.strip_suffix('\n').map(str::to_owned)
}

/// Shows the beginning of what a node holds, for a message.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]);
    if bytes.is_empty() { "nothing".to_owned() } else { format!("{:?}", printable(beginning(&text, 64).to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(token: Option<&str>, endpoint: &str) -> WorkerText {
        WorkerText { token: token.map(str::to_owned), horizon: 9, reported: -7, endpoint: endpoint.to_owned() }
    }

    #[test]
    fn what_is_written_is_read_back_whatever_the_endpoint_is() {
        for endpoint in ["10.0.0.1:8080", "", "a\nend\n", "a\nhorizon 5\nreported 6\nendpoint b", "主机", "a\r\n\0"] {
            for token in [None, Some("00112233445566778899aabbccddeeff")] {
                let text = text(token, endpoint);
                assert_eq!(WorkerText::parse(text.to_text().as_bytes()), Some(text));
            }
        }
        assert_eq!(parse_layout(of_layout("41-10-12 ms since 0").as_bytes()).as_deref(), Some("41-10-12 ms since 0"));
    }

    #[test]
    fn what_leafmint_did_not_write_is_not_believed() {
        let good = text(None, "a").to_text();
        for change in [
            ("none", "None"),
            ("horizon 9", "horizon 09"),
            ("horizon 9", "horizon +9"),
            ("id 1", "id 2"),
            ("end\n", "end"),
        ] {
            assert_eq!(WorkerText::parse(good.replace(change.0, change.1).as_bytes()), None, "{change:?}");
        }
        assert_eq!(WorkerText::parse(b""), None);
        assert_eq!((parse_layout(b""), parse_layout(b"leaf")), (None, None));
    }
}
