//! The state file of a leased row: what the row may show, and up to when this host has reserved time under it.

use super::row::RowVersion as Mark;
use crate::holder::Token;

const HEADING: &str = "leafmint mysql worker id 2";
/// The first release named the directory by its inode, at the end of the owner.
const FIRST_HEADING: &str = "leafmint mysql worker id 1";

/// The file keeps at most so many marks of attempts that were not answered; a restart that finds none that fits takes no risk.
const MOST_AIMS: usize = 8;

/// What is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::holder) struct Memo {
    /// The first Unix millisecond that nobody on this host may have stamped.
    pub(in crate::holder) horizon: i64,
    /// What the row was last known to show; `None` before the first answer.
    pub(in crate::holder) known: Option<Mark>,
    /// What else it may show: written down before it was sent.
    pub(in crate::holder) aims: Vec<Mark>,
    /// The lease is being released: the row may become anybody's at any time.
    pub(in crate::holder) leaving: bool,
    /// What tells this host from others. Filled in by the slot, as the rest is.
    pub(in crate::holder) owner: String,
    /// The directory that the file was written in, and in which boot and on which device that was seen.
    pub(in crate::holder) directory: String,
    pub(in crate::holder) seen: String,
}

impl Memo {
    pub(in crate::holder) fn new(horizon: i64, known: Option<Mark>, aims: Vec<Mark>) -> Self {
        let (owner, directory, seen) = Default::default();
        Self { horizon, known, aims, leaving: false, owner, directory, seen }
    }

    pub(in crate::holder) fn to_text(&self) -> String {
        let mark = |name: &str, mark: &Mark| format!("{name} {} {}\n", mark.token, mark.horizon);
        let marks: String =
            self.known.iter().map(|known| mark("row", known)).chain(self.aims.iter().map(|aim| mark("aim", aim))).collect();
        let Self { horizon, leaving, owner, directory, seen, .. } = self;
        format!(
            "{HEADING}\nhorizon {horizon}\nleaving {leaving}\nowner {owner}\ndirectory {directory}\nseen {seen}\n{marks}end\n"
        )
    }

    /// Reads a whole text; `None` if it ends early or is not ours.
    pub(in crate::holder) fn parse(text: &str) -> Option<Self> {
        // The last line tells a whole text from a truncated one.
        let text = text.strip_suffix("end\n")?;
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let heading = lines.next()?;
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned);
        let horizon = field("horizon")?.parse().ok()?;
        let leaving = field("leaving")?.parse().ok()?;
        let owner = field("owner")?;
        let (owner, directory, seen) = match heading {
            HEADING => (owner, field("directory")?, field("seen")?),
            FIRST_HEADING => {
                let (owner, inode) = owner.rsplit_once("; ")?;
                field("boot")?;
                (owner.to_owned(), format!("inode {inode}"), String::new())
            }
            _ => return None,
        };
        let mut memo = Memo { leaving, owner, directory, seen, ..Memo::new(horizon, None, Vec::new()) };
        for line in lines {
            let (name, mark) = line.split_once(' ')?;
            let (token, horizon) = mark.split_once(' ')?;
            let mark = Mark { token: Token::parse(token)?, horizon: horizon.parse().ok()? };
            match name {
                "row" => memo.known = Some(mark),
                "aim" => memo.aims.push(mark),
                _ => return None,
            }
        }
        Some(memo)
    }

    /// Returns everything that the row may show.
    pub(in crate::holder) fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.known.iter().chain(&self.aims)
    }
}

/// Adds a mark that is about to be sent.
pub(in crate::holder) fn add_aim(aims: &mut Vec<Mark>, aim: Mark) {
    if aims.last() == Some(&aim) {
        return;
    }
    if aims.len() == MOST_AIMS {
        aims.remove(0);
    }
    aims.push(aim);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memo() -> Memo {
        let mark = |horizon| Mark { token: Token::fresh().unwrap(), horizon };
        Memo {
            horizon: 1_793_491_200_000,
            known: Some(mark(1_793_491_800_000)),
            aims: vec![mark(1_793_491_810_000), mark(1_793_491_820_000)],
            leaving: true,
            owner: "host a 1; mysql://h/db".into(),
            directory: "inode 7 born 8".into(),
            seen: "boot b device 7:0".into(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let empty = Memo { known: None, aims: Vec::new(), seen: String::new(), ..memo() };
        for memo in [memo(), empty] {
            assert_eq!(Memo::parse(&memo.to_text()), Some(memo));
        }
    }

    #[test]
    fn a_file_that_ends_early_is_damaged_wherever_it_ends() {
        let text = memo().to_text();
        for length in 0..text.len() {
            assert_eq!(Memo::parse(&text[..length]), None, "{:?}", &text[..length]);
        }
    }

    #[test]
    fn a_file_of_the_first_release_is_read() {
        let text = "leafmint mysql worker id 1\nhorizon 5\nleaving false\nowner host a 1; mysql://h/db; 42\nboot b\nend\n";
        let memo = Memo::parse(text).unwrap();
        assert_eq!((memo.horizon, memo.owner.as_str()), (5, "host a 1; mysql://h/db"));
        assert_eq!((memo.directory.as_str(), memo.seen.as_str()), ("inode 42", ""));
    }
}
