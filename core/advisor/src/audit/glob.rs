//! Patterns of table names, with `*` for any text and `?` for one character.

/// Returns whether a name matches a pattern.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut next, mut star) = (0, 0, None);
    while next < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, next));
                at += 1;
            }
            Some(expected) if *expected == '?' || *expected == name[next] => (at, next) = (at + 1, next + 1),
            _ => {
                // The last star takes one more character.
                let Some((from, taken)) = star else { return false };
                star = Some((from, taken + 1));
                (at, next) = (from + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_is_any_text_and_a_question_mark_one_character() {
        for (pattern, name) in
            [("*", ""), ("orders", "orders"), ("shop_*", "shop_orders"), ("*_o*s", "a_b_orders"), ("?", "é")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("", "a"), ("orders", "order"), ("shop_*", "shops"), ("?", ""), ("*a", "ab")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn many_stars_take_no_long_time() {
        assert!(!matches(&"*a".repeat(200), &"a".repeat(199).replace("aaaa", "aaab")));
    }
}
