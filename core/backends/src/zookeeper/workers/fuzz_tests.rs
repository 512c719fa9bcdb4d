//! Fuzz targets: what a node may hold.

use super::nodes::worker_ids;
use super::text::{WorkerText, excerpt, parse_layout};
use leafmint_fuzz::fuzz;

/// What is believed is exactly what leafmint would write; anything else is shown in a message, safely.
#[test]
fn fuzz_nodes_of_worker_ids() {
    fuzz("zookeeper_nodes", Vec::new(), |input| {
        let shown = excerpt(input);
        assert!(!shown.chars().any(char::is_control) && shown.chars().count() < 1000, "{shown}");
        let names: Vec<String> = String::from_utf8_lossy(input).lines().map(str::to_owned).collect();
        assert!(worker_ids(&names, &(0..=1023)).is_sorted());
        let layout = parse_layout(input).is_some();
        match WorkerText::parse(input) {
            Some(text) => {
                assert_eq!(text.to_text().as_bytes(), input);
                format!("a worker id {}", text.token.is_some())
            }
            None => format!("refused {layout}"),
        }
    });
}
