//! Judges the worker ids of a Leaf, and the layout and worker ids that leafmint is to use next to it.

use super::leaf_tree::{Kept, LeafNode, LeafTree};
use super::planned::Planned;
use super::steps::Finding;
use leafmint_engine::holder::Workers;
use leafmint_ids::layout::Layout;
use std::time::Duration;

/// The highest worker id that Leaf starts with.
const LAST_WORKER_ID: i64 = 1023;

/// Leaf's own layout.
const LEAF: &str = "leaf";

/// Judges Leaf's tree, if it was read, against what leafmint is to use, if that is known. `epoch` is Leaf's own, in
/// Unix milliseconds, if it was given another one than the usual.
///
/// ```
/// use leafmint_advisor::migration::{LeafNode, LeafTree, Planned, judge_snowflakes};
/// let planned = Planned::read("local:workers?workers=0-511", [])?;
/// let node = LeafNode::read("10.0.0.1:8080-0000000003", br#"{"timestamp":1700000000000}"#);
/// let tree = LeafTree { name: "leaf".to_owned(), nodes: vec![node], ..LeafTree::default() };
/// let found = judge_snowflakes(Some(&tree), Some(&planned), None);
/// assert!(found[0].text.contains("workers=512-1023"));
/// # Ok::<(), leafmint::Error>(())
/// ```
pub fn judge_snowflakes(tree: Option<&LeafTree>, planned: Option<&Planned>, epoch: Option<i64>) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(planned) = planned {
        findings.extend(layout(planned.layout, epoch));
    }
    match (tree, planned) {
        (Some(tree), Some(planned)) => findings.extend(workers(tree, planned)),
        (None, Some(_)) => findings.push(Finding::warning(
            "worker ids",
            "Leaf's tree was not read: its worker ids count up from 0 with each new ip:port, so give leafmint high ones, \
             for example workers=512-1023",
        )),
        _ => {}
    }
    if let Some(tree) = tree {
        findings.extend(name(tree));
        findings.extend(tree.nodes.iter().flat_map(|node| judge_node(node, tree.read_at)));
    }
    findings
}

/// Worker ids keep ids apart only if they are in the same bits.
fn layout(planned: Layout, epoch: Option<i64>) -> Option<Finding> {
    let leaf = Layout::default();
    let (bits, leafs) = (planned.bits(), leaf.bits());
    let same_bits = bits.worker == leafs.worker
        && bits.datacenter == 0
        && bits.sequence + bits.gene == leafs.sequence
        && planned.unit() == Duration::from_millis(1);
    if !same_bits {
        let text = format!(
            "{} is not Leaf's layout, timestamp:41,worker:10,sequence:12 in milliseconds: the ids of both could be equal. \
             Set layout={LEAF}",
            planned.fingerprint()
        );
        return Some(Finding::clash("layout", text));
    }
    let epoch = epoch.unwrap_or_else(|| leaf.epoch());
    (planned.epoch() != epoch).then(|| {
        let text = format!(
            "epoch={} is not Leaf's {epoch}: ids would not go on from Leaf's, and could repeat them once a worker id of \
             Leaf's is used again. Set epoch={epoch}",
            planned.epoch()
        );
        Finding::clash("epoch", text)
    })
}

fn workers(tree: &LeafTree, planned: &Planned) -> Option<Finding> {
    let others = tree.nodes.iter().filter(|node| !planned.takes_part(node, tree));
    let used: Workers = others.filter_map(|node| node.worker_id).collect();
    let both: Vec<String> =
        used.iter().filter(|&id| planned.workers.contains(id)).map(|id| id.to_string()).take(20).collect();
    let compared = planned.compared(tree);
    if both.is_empty() {
        return compared.map(|text| Finding::warning("worker ids", text));
    }
    let highest = used.iter().last().unwrap_or_default();
    // Room for Leaf servers that start meanwhile, each of which takes the next number.
    let free = if highest < 512 { 512 } else { highest + 100 };
    let what_to_do = match free <= LAST_WORKER_ID {
        true => format!("{} while Leaf runs", planned.advice(free, LAST_WORKER_ID)),
        false => "too few are left above: stop Leaf before leafmint mints".to_owned(),
    };
    let compared = compared.map(|text| format!(" ({text})")).unwrap_or_default();
    let text = format!("leafmint may take {}, which a Leaf server has{compared}: {what_to_do}", both.join(", "));
    Some(Finding::clash("worker ids", text))
}

fn name(tree: &LeafTree) -> Option<Finding> {
    let text = "a hyphen in leaf.name makes every new Leaf server fail: it reads its worker id behind the first hyphen";
    tree.name.contains('-').then(|| Finding::warning(&tree.name, text))
}

fn judge_node(node: &LeafNode, now: i64) -> Vec<Finding> {
    let finding = |text: String| Finding::warning(&node.name, text);
    let mut findings = Vec::new();
    match node.worker_id {
        None => findings.push(finding(
            "it names no worker id: every Leaf server fails at its start as long as it is there".to_owned(),
        )),
        Some(id) if id > LAST_WORKER_ID => {
            findings.push(finding(format!("worker id {id} is above {LAST_WORKER_ID}: its Leaf server does not start")));
        }
        Some(_) if node.kept == Kept::Forever && node.name.matches('-').count() > 1 => {
            let text =
                "its endpoint contains a hyphen, so Leaf reads another number as its worker id: stop that server first";
            findings.push(Finding::clash(&node.name, text));
        }
        Some(_) => {}
    }
    match node.timestamp {
        None if node.kept == Kept::Forever => {
            findings.push(finding("its content is not Leaf's: its Leaf server fails at its next start".to_owned()))
        }
        Some(reported) if reported > now => {
            let text = format!(
                "its last report is {} ms ahead of this host's clock: ids of that time may exist, so wait as long \
                 before its worker id is used again",
                reported - now
            );
            findings.push(finding(text));
        }
        _ => {}
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migration::Level;
    use leafmint_engine::store::{AllocatedWorker, Location, TableFacts};

    const NOW: i64 = 1_793_491_200_000;

    fn planned(url: &str) -> Planned {
        Planned::read(url, []).unwrap()
    }

    /// The location of what a URL names.
    fn location(url: &str) -> Location {
        planned(url).own_location().unwrap()
    }

    fn tree(names: &[&str]) -> LeafTree {
        let content = format!(r#"{{"ip":"10.0.0.1","port":"8080","timestamp":{NOW}}}"#);
        let nodes = names.iter().map(|name| LeafNode::read(name, content.as_bytes())).collect();
        let location = Some(location("zookeeper://zk1,zk2/apps/leaf?worker_mode=leaf&endpoint=a:1"));
        LeafTree { name: "leaf".to_owned(), location, nodes, read_at: NOW, ..LeafTree::default() }
    }

    fn found(tree: Option<&LeafTree>, url: &str, epoch: Option<i64>) -> Vec<(Level, String)> {
        let found = judge_snowflakes(tree, Some(&planned(url)), epoch);
        found.into_iter().map(|found| (found.level, found.subject)).collect()
    }

    #[test]
    fn worker_ids_apart_in_leafs_layout_do_not_clash() {
        let leaf = tree(&["10.0.0.1:8080-0000000000", "10.0.0.2:8080-0000000001"]);
        assert_eq!(found(Some(&leaf), "local:w?workers=512-1023", None), []);
        assert_eq!(found(Some(&leaf), "local:w?workers=2-9&epoch=1000", Some(1000)), []);
    }

    #[test]
    fn a_worker_id_of_a_leaf_another_layout_or_another_epoch_clashes() {
        let clash = |subject: &str| vec![(Level::Clash, subject.to_owned())];
        let leaf = tree(&["10.0.0.1:8080-0000000003"]);
        assert_eq!(found(Some(&leaf), "local:w", None), clash("worker ids"));
        assert_eq!(found(Some(&tree(&[])), "local:w?layout=wide", None), clash("layout"));
        assert_eq!(found(Some(&tree(&[])), "local:w?layout=datacenter", None), clash("layout"));
        assert_eq!(found(Some(&tree(&[])), "local:w?epoch=1577836800000", None), clash("epoch"));
        assert_eq!(found(Some(&tree(&[])), "local:w", Some(1_577_836_800_000)), clash("epoch"));
    }

    #[test]
    fn who_takes_part_in_leafs_own_numbers_does_not_clash_with_them() {
        let leaf = tree(&["10.0.0.1:8080-0000000003"]);
        for hosts in ["zk1,zk2", "zk2:2181,zk3", "ZK1"] {
            let url = format!("zookeeper://{hosts}/apps/leaf?worker_mode=leaf&endpoint=10.0.0.9:80");
            assert_eq!(found(Some(&leaf), &url, None), [], "{url}");
        }
        assert_eq!(found(Some(&leaf), "zookeeper://zk1/apps/leaf", None), [(Level::Clash, "worker ids".to_owned())]);
    }

    #[test]
    fn a_tree_elsewhere_counts_from_0_as_leafs_does() {
        let judged = |node: &str, place: &str| {
            let url = format!("zookeeper://{place}?worker_mode=leaf&endpoint=10.0.0.9:80");
            judge_snowflakes(Some(&tree(&[node])), Some(&planned(&url)), None)[0].clone()
        };
        for place in ["zk1,zk2/leaf", "zk1,zk2/other/leaf", "zk1,zk2/apps/other", "zk1:2182/apps/leaf", "zk9/apps/leaf"]
        {
            let clash = judged("10.0.0.1:8080-0000000003", place);
            assert_eq!((clash.level, clash.subject.as_str()), (Level::Clash, "worker ids"), "{place}");
            let warning = judged("10.0.0.1:8080-0000000000", place);
            assert_eq!((warning.level, warning.subject.as_str()), (Level::Warning, "worker ids"), "{place}");
        }
        let elsewhere = judged("10.0.0.1:8080-0000000003", "zk9/apps/leaf").text;
        assert!(elsewhere.contains("zookeeper://zk9:2181/apps/leaf"), "{elsewhere}");
        assert!(elsewhere.contains("zookeeper://zk1:2181,zk2:2181/apps/leaf"), "{elsewhere}");
        assert!(elsewhere.contains("by other names"), "{elsewhere}");
        assert!(!judged("10.0.0.1:8080-0000000003", "zk1/leaf").text.contains("by other names"));
    }

    #[test]
    fn every_replica_counts_and_not_this_host_alone() {
        let text = |url: &str| {
            let leaf = tree(&["10.0.0.1:8080-0000000003", "10.0.0.2:8080-0000000004"]);
            judge_snowflakes(Some(&leaf), Some(&planned(url)), None).first().map(|found| found.text.clone())
        };
        for url in
            ["fixed:ordinal?state_dir=/s", "local:w?workers=ordinal", "local:w?workers=ordinal&ordinal_env=NO_SUCH"]
        {
            let clash = text(url).unwrap();
            assert!(clash.contains("may take 3, 4,") && clash.contains("ordinal_offset=512"), "{url}: {clash}");
        }
        let own = text("fixed:4?state_dir=/s").unwrap();
        assert!(own.contains("may take 4,") && own.contains("fixed:512 to fixed:1023"), "{own}");
        let offset = text("fixed:ordinal?state_dir=/s&ordinal_offset=4").unwrap();
        assert!(offset.contains("may take 4,"), "{offset}");
        assert_eq!(text("fixed:ordinal?state_dir=/s&ordinal_offset=5"), None);
        let map = text("local:w?worker_map=a:1%3D3,b:1%3D9&endpoint=b:1").unwrap();
        assert!(map.contains("may take 3,") && map.contains("worker_map"), "{map}");
        assert!(text("local:w?worker_map=a:1%3D3,b:1%3D9").unwrap().contains("may take 3,"));
        assert_eq!(text("local:w?worker_map=a:1%3D8,b:1%3D9&endpoint=b:1"), None);
    }

    #[test]
    fn without_a_look_at_the_tree_there_is_a_warning() {
        assert_eq!(found(None, "local:w", None), [(Level::Warning, "worker ids".to_owned())]);
    }

    #[test]
    fn the_advice_leaves_room_for_leaf_servers_that_start_meanwhile() {
        let advice = |id: i64| {
            let leaf = tree(&[&format!("10.0.0.1:8080-{id:010}")]);
            judge_snowflakes(Some(&leaf), Some(&planned("local:w")), None)[0].text.clone()
        };
        assert!(advice(600).contains("workers=700-1023"), "{}", advice(600));
        assert!(advice(1000).contains("stop Leaf"), "{}", advice(1000));
    }

    #[test]
    fn nodes_that_break_leaf_are_named() {
        let levels = |tree: &LeafTree| {
            judge_snowflakes(Some(tree), None, None).iter().map(|found| found.level).collect::<Vec<_>>()
        };
        assert_eq!(levels(&tree(&["10.0.0.1:8080"])), [Level::Warning]);
        assert_eq!(levels(&tree(&["10.0.0.1:8080-0000001024"])), [Level::Warning]);
        assert_eq!(levels(&tree(&["pod-1:8080-0000000004"])), [Level::Warning]);
        assert_eq!(levels(&tree(&["pod-1-0000000004"])), [Level::Clash]);
        let mut ahead = tree(&["10.0.0.1:8080-0000000004"]);
        assert_eq!(levels(&ahead), []);
        ahead.read_at = NOW - 60_000;
        assert_eq!(levels(&ahead), [Level::Warning]);
        ahead.nodes[0].timestamp = None;
        assert_eq!(levels(&ahead), [Level::Warning]);
        ahead.name = "a-leaf".to_owned();
        assert_eq!(levels(&ahead), [Level::Warning; 2]);
    }

    #[test]
    fn a_table_of_worker_ids_is_another_leafs_unless_leafmint_goes_on_with_it() {
        let row = AllocatedWorker { worker_id: 3, endpoint: "pod-1:8080".to_owned(), reported: None };
        let fixed = |at: &str| format!("{at}?worker_mode=endpoint&endpoint=pod-1:8080");
        let leafs = Some(location(&fixed("mysql://host/leaf")));
        let facts = TableFacts { location: leafs, worker_ids: vec![row], ..TableFacts::default() };
        let tree = LeafTree::with_table(None, Some(&facts));
        let judged = |url: &str| judge_snowflakes(tree.as_ref(), Some(&planned(url)), None).len();
        assert_eq!((judged("mysql://host/leaf"), judged("mysql://host/leaf?workers=4-9")), (1, 0));
        assert_eq!((judged(&fixed("mysql://host/leaf")), judged(&fixed("mysql://replica,HOST:3306/leaf"))), (0, 0));
        for elsewhere in
            ["mysql://host/other", "mysql://other/leaf", "mysql://host:3307/leaf", "postgresql://host:3306/leaf"]
        {
            assert_eq!(judged(&fixed(elsewhere)), 1, "{elsewhere}");
        }
        assert_eq!(LeafTree::with_table(None, Some(&TableFacts::default())), None);
    }
}
