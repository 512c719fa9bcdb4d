//! What the state file of a worker id in a directory says: up to when time is reserved, and by whom.

use super::Token;

const HEADING: &str = "leafmint worker id 2";
/// The first release named the directory by its inode alone, and replaced the whole file at each write.
const FIRST_HEADING: &str = "leafmint worker id 1";
/// Code points of an owner's name that are kept.
const LONGEST_OWNER: usize = 500;

/// What is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The token of the lease.
    pub(super) token: Token,
    /// The first Unix millisecond that the lease may not stamp.
    pub(super) horizon: i64,
    /// Who holds the lease, for messages to others.
    pub(super) owner: String,
    /// The directory that the file was written in, and where that was seen.
    pub(super) directory: String,
    pub(super) seen: String,
    /// The layout's fingerprint.
    pub(super) layout: String,
}

impl State {
    pub(super) fn to_text(&self) -> String {
        let Self { token, horizon, owner, directory, seen, layout } = self;
        let owner: String =
            owner.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(LONGEST_OWNER).collect();
        format!(
            "{HEADING}\ntoken {token}\nhorizon {horizon}\nowner {owner}\ndirectory {directory}\nseen {seen}\nlayout {layout}\nend\n"
        )
    }

    /// Reads a whole text; `None` if it ends early or is not ours.
    pub(super) fn parse(text: &str) -> Option<Self> {
        // The last line tells a whole text from a truncated one.
        let mut lines = text.strip_suffix("\nend\n")?.split('\n');
        let heading = lines.next()?;
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned);
        let token = Token::parse(&field("token")?)?;
        let horizon = field("horizon")?.parse().ok()?;
        let owner = field("owner")?;
        let (directory, seen) = match heading {
            HEADING => (field("directory")?, field("seen")?),
            FIRST_HEADING => (format!("inode {}", field("place")?), String::new()),
            _ => return None,
        };
        Some(State { token, horizon, owner, directory, seen, layout: field("layout")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> State {
        State {
            token: Token::fresh().unwrap(),
            horizon: 1_793_491_200_000,
            owner: "host a 1".into(),
            directory: "inode 7 born 8".into(),
            seen: "boot b device 7:0".into(),
            layout: "leaf".into(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let state = state();
        assert_eq!(State::parse(&state.to_text()), Some(state));
    }

    #[test]
    fn an_owner_cannot_add_lines() {
        let state = State { owner: "a\nhorizon 0\0".into(), ..state() };
        assert_eq!(State::parse(&state.to_text()).unwrap().owner, "a horizon 0 ");
    }

    #[test]
    fn a_text_that_ends_early_is_damaged_wherever_it_ends() {
        let text = state().to_text();
        for length in 0..text.len() {
            assert_eq!(State::parse(&text[..length]), None, "{:?}", &text[..length]);
        }
    }

    #[test]
    fn a_state_of_the_first_release_is_read() {
        let State { token, horizon, owner, layout, .. } = state();
        let text =
            format!("leafmint worker id 1\ntoken {token}\nhorizon {horizon}\nowner {owner}\nplace 7\nlayout {layout}\nend\n");
        let expected = State { directory: "inode 7".into(), seen: String::new(), ..State { token, ..state() } };
        assert_eq!(State::parse(&text), Some(expected));
    }
}
