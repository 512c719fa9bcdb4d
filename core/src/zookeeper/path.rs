//! What a path of a node may be like.

/// Says what is wrong with one part of a path, which ZooKeeper would refuse; `None` if nothing is.
pub(crate) fn problem_of_part(part: &str) -> Option<&'static str> {
    match part {
        "" => Some("is empty"),
        "." | ".." => Some("is relative"),
        _ if part.contains('/') => Some("has a slash"),
        _ if part.chars().any(is_refused) => Some("has a character that ZooKeeper refuses"),
        _ => None,
    }
}

fn is_refused(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_that_zookeeper_refuses_is_found() {
        for part in ["", ".", "..", "a/b", "a\0", "a\n", "a\u{7f}", "a\u{9f}", "\u{e000}", "\u{fffd}"] {
            assert!(problem_of_part(part).is_some(), "{part:?}");
        }
        for part in ["shop", "com.sankuai.leaf", "a b", "订单", "🙂", "...", "a-0000000001"] {
            assert_eq!(problem_of_part(part), None, "{part:?}");
        }
    }
}
