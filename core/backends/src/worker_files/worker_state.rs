//! What the state file of a worker id says: up to when this host has reserved time, who has, and what the row shows if
//! the worker id is leased from a database.

use leafmint_engine::holder::Token;

const HEADING: &str = "leafmint worker id 2";

/// What is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerState {
    /// The token of the lease.
    pub token: Token,
    /// The first Unix millisecond that no process of this host may have stamped.
    pub horizon: i64,
    /// Who holds the lease: in a directory for messages to others, in a state directory to tell hosts apart.
    pub owner: String,
    /// The directory that the file was written in, and in which boot and on which device that was seen.
    pub directory_identity: String,
    pub seen: String,
    /// The layout's fingerprint.
    pub layout: String,
    /// What the row of the worker id shows, if it has one.
    pub row: Option<RowState>,
}

/// The lines of a text, each a name and a value.
struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl WorkerState {
    pub(super) fn to_text(&self) -> String {
        let Self { token, horizon, owner, directory_identity, seen, layout, row } = self;
        let owner: String = owner.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let row = row.as_ref().map(row_lines).unwrap_or_default();
        format!(
            "{HEADING}\ntoken {token}\nhorizon {horizon}\nowner {owner}\ndirectory {directory_identity}\nseen {seen}\nlayout {layout}\n\
             {row}end\n"
        )
    }

    /// Reads a whole text; `None` if it ends early or has another format.
    pub fn parse(text: &str) -> Option<Self> {
        // The last line distinguishes a whole text from a truncated one.
        let mut lines = text.strip_suffix("\nend\n")?.split('\n');
        lines.next().filter(|heading| *heading == HEADING)?;
        let mut fields = Fields(lines.map(|line| line.split_once(' ')).collect::<Option<_>>()?);
        let state = WorkerState {
            token: Token::parse(fields.take("token")?)?,
            horizon: fields.take("horizon")?.parse().ok()?,
            owner: fields.take("owner")?.to_owned(),
            directory_identity: fields.take("directory")?.to_owned(),
            seen: fields.take("seen")?.to_owned(),
            layout: fields.take("layout")?.to_owned(),
            row: fields.take_row()?,
        };
        fields.0.is_empty().then_some(state)
    }
}

fn row_lines(row: &RowState) -> String {
    let line = |name: &str, version: &RowVersion| format!("{name} {} {}\n", version.token, version.horizon);
    let known = row.known.iter().map(|version| line("row", version));
    let unconfirmed = row.unconfirmed.iter().map(|version| line("unconfirmed", version));
    format!("releasing {}\n{}", row.releasing, known.chain(unconfirmed).collect::<String>())
}

impl<'a> Fields<'a> {
    /// Takes the first line of a name out.
    fn take(&mut self, name: &str) -> Option<&'a str> {
        let at = self.0.iter().position(|(other, _)| *other == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes the lines of a row out; `None` if one of them cannot be read.
    fn take_row(&mut self) -> Option<Option<RowState>> {
        let Some(releasing) = self.take("releasing") else { return Some(None) };
        let mut row = RowState { releasing: releasing.parse().ok()?, ..RowState::default() };
        if let Some(known) = self.take("row") {
            row.known = Some(version(known)?);
        }
        while let Some(sent) = self.take("unconfirmed") {
            row.unconfirmed.push(version(sent)?);
        }
        Some(Some(row))
    }
}

fn version(text: &str) -> Option<RowVersion> {
    let (token, horizon) = text.split_once(' ')?;
    Some(RowVersion { token: Token::parse(token)?, horizon: horizon.parse().ok()? })
}

/// Maximum number of unconfirmed versions. A restart that finds none that fits takes no risk.
const MOST_UNCONFIRMED: usize = 8;

/// The version of a row that a compare-and-set names: its token, and its horizon.
///
/// The horizon belongs to it: the clone of a machine has the same token, and moves the row on to horizons of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowVersion {
    pub token: Token,
    pub horizon: i64,
}

/// What a host knows about a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowState {
    /// What the row was last known to show; `None` before the first answer.
    pub known: Option<RowVersion>,
    /// What else it may show: versions that were written down before they were sent, and not answered.
    pub unconfirmed: Vec<RowVersion>,
    /// The lease is being released: another process may get the row at any time.
    pub releasing: bool,
}

impl RowState {
    /// Returns everything that the row may show.
    pub fn versions(&self) -> impl Iterator<Item = &RowVersion> {
        self.known.iter().chain(&self.unconfirmed)
    }
}

/// Adds a version that is about to be sent.
pub(crate) fn add_unconfirmed(unconfirmed: &mut Vec<RowVersion>, version: RowVersion) {
    if unconfirmed.last() == Some(&version) {
        return;
    }
    if unconfirmed.len() == MOST_UNCONFIRMED {
        unconfirmed.remove(0);
    }
    unconfirmed.push(version);
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "00112233445566778899aabbccddeeff";

    fn of_directory() -> WorkerState {
        WorkerState {
            token: Token::fresh().unwrap(),
            horizon: 1_793_491_200_000,
            owner: "host a 1".into(),
            directory_identity: "inode 7 born 8".into(),
            seen: "boot b device 7:0".into(),
            layout: "leaf".into(),
            row: None,
        }
    }

    fn of_row() -> WorkerState {
        let version = |horizon| RowVersion { token: Token::fresh().unwrap(), horizon };
        let row = RowState {
            known: Some(version(1_793_491_800_000)),
            unconfirmed: vec![version(1_793_491_810_000), version(1_793_491_820_000)],
            releasing: true,
        };
        WorkerState { row: Some(row), owner: "host a 1; mysql://h/db".into(), ..of_directory() }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let unanswered = WorkerState { row: Some(RowState::default()), seen: String::new(), ..of_row() };
        for state in [of_directory(), of_row(), unanswered] {
            assert_eq!(WorkerState::parse(&state.to_text()), Some(state));
        }
    }

    #[test]
    fn an_owner_cannot_add_lines() {
        let state = WorkerState { owner: "a\nhorizon 0\0".into(), ..of_directory() };
        assert_eq!(WorkerState::parse(&state.to_text()).unwrap().owner, "a horizon 0 ");
    }

    #[test]
    fn a_text_that_ends_early_is_damaged_wherever_it_ends() {
        for text in [of_directory().to_text(), of_row().to_text()] {
            for length in 0..text.len() {
                assert_eq!(WorkerState::parse(&text[..length]), None, "{:?}", &text[..length]);
            }
        }
    }

    #[test]
    fn a_line_that_is_missing_repeated_or_unknown_is_damage() {
        let text = of_row().to_text();
        for name in ["token", "horizon", "owner", "directory", "seen", "layout", "releasing"] {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap();
            assert_eq!(WorkerState::parse(&text.replace(&format!("{line}\n"), "")), None, "without {name}");
            assert_eq!(WorkerState::parse(&text.replace(line, &format!("{line}\n{line}"))), None, "{name} twice");
        }
        assert_eq!(WorkerState::parse(&text.replace("owner ", "colour red\nowner ")), None);
    }

    #[test]
    fn a_state_of_another_format_is_not_believed() {
        for state in [of_directory(), of_row()] {
            for heading in ["leafmint worker id 1", "leafmint worker id 3", "leafmint worker id", ""] {
                assert_eq!(WorkerState::parse(&state.to_text().replace(HEADING, heading)), None, "{heading:?}");
            }
        }
    }

    #[test]
    fn the_format_stays_as_it_is() {
        let versions = [1, 2].map(|horizon| RowVersion { token: Token::parse(TOKEN).unwrap(), horizon });
        let row = RowState { known: Some(versions[0]), unconfirmed: vec![versions[1]], releasing: false };
        let state = WorkerState { token: versions[0].token, row: Some(row), ..of_directory() };
        let text = format!(
            "leafmint worker id 2\ntoken {TOKEN}\nhorizon 1793491200000\nowner host a 1\ndirectory inode 7 born 8\n\
             seen boot b device 7:0\nlayout leaf\nreleasing false\nrow {TOKEN} 1\nunconfirmed {TOKEN} 2\nend\n"
        );
        assert_eq!(state.to_text(), text);
    }
}
