//! A pattern as steps, and the search for it.

/// Start and end of each group; the first is the whole match.
pub(crate) type Slots = Vec<(usize, usize)>;

/// One of the bytes from the first to the second, or, if negated, any other.
pub(crate) struct Class {
    pub(crate) is_negated: bool,
    pub(crate) first: u8,
    pub(crate) last: u8,
}

impl Class {
    fn has(&self, byte: u8) -> bool {
        (self.first..=self.last).contains(&byte) != self.is_negated
    }
}

pub(crate) enum Step {
    /// As many bytes of a class as there are, within bounds.
    Run {
        class: Class,
        least: usize,
        most: usize,
    },
    Open(usize),
    Close(usize),
    Start,
    End,
    /// The rest of the pattern with an optional group, or without.
    Either(Program, Program),
}

pub(crate) struct Program {
    pub(crate) steps: Vec<Step>,
    pub(crate) groups: usize,
}

impl Program {
    pub(crate) fn find(&self, text: &[u8]) -> Option<Slots> {
        let mut slots = vec![(0, 0); self.groups + 1];
        (0..=text.len()).find_map(|start| {
            let end = matches(&self.steps, text, start, &mut slots)?;
            slots[0] = (start, end);
            Some(std::mem::take(&mut slots))
        })
    }
}

/// Returns where a match that starts at `at` ends.
fn matches(steps: &[Step], text: &[u8], at: usize, slots: &mut Slots) -> Option<usize> {
    let Some((step, rest)) = steps.split_first() else { return Some(at) };
    match step {
        Step::Run { class, least, most } => {
            let longest = text[at..].iter().take(*most).take_while(|byte| class.has(**byte)).count();
            (*least..=longest).rev().find_map(|length| matches(rest, text, at + length, slots))
        }
        Step::Open(group) => {
            slots[*group].0 = at;
            matches(rest, text, at, slots)
        }
        Step::Close(group) => {
            slots[*group].1 = at;
            matches(rest, text, at, slots)
        }
        Step::Start => (at == 0).then(|| matches(rest, text, at, slots))?,
        Step::End => (at == text.len()).then(|| matches(rest, text, at, slots))?,
        Step::Either(with, without) => {
            matches(&with.steps, text, at, slots).or_else(|| matches(&without.steps, text, at, slots))
        }
    }
}
