//! States that differ by names only, or by what can change nothing any more, are brought into one shape.

use super::node::{ClaimSent, Phase};
use super::registry::{Row, RowVersion, Statement, Token, Version};
use super::{State, WorkerIds};
use crate::weakening::Weakening;

/// Tokens from here up are names of hosts, for the weakening that reuses them.
pub(super) const HOSTS: u8 = 200;

impl WorkerIds {
    /// Brings states that differ only by names into one shape.
    pub(super) fn tidy(&self, state: &mut State) {
        if self.weakening == Weakening::None {
            self.forget_what_matches_nothing(state);
        }
        let mut first = 0;
        while first < self.nodes.len() {
            let count = self.nodes[first..]
                .iter()
                .take_while(|&&host| host == self.nodes[first] || host.min(self.nodes[first]) >= self.disks)
                .count();
            state.nodes[first..first + count].sort_unstable();
            first += count;
        }
        let mut names: Vec<Token> = Vec::new();
        state.tokens_mut(&mut |token| {
            if token.0 < HOSTS {
                let at = names.iter().position(|name| name == token).unwrap_or_else(|| {
                    names.push(*token);
                    names.len() - 1
                });
                *token = Token(at as u8);
            }
        });
        state.late.sort_unstable();
    }

    /// Drops what compares with a token that no row shows and none will show again: it can change nothing any more.
    fn forget_what_matches_nothing(&self, state: &mut State) {
        state.late.retain(|late| late.version != Version::Passed);
        let mut live = state.live();
        let State { rows, nodes, late, .. } = state;
        late.retain(|late| match &late.statement {
            Statement::Claim { worker, from, .. } => may_come(&live, rows[usize::from(*worker)], *from),
            Statement::Renew { known, .. } => live.has(known.token),
            Statement::Release { versions, .. } => versions.iter().any(|version| live.has(version.token)),
        });
        for (index, node) in nodes.iter_mut().enumerate() {
            let has_disk = self.has_disk(index);
            let vain = |claiming: &ClaimSent| {
                let row = rows[usize::from(claiming.worker)];
                !has_disk && !may_come(&live, row, claiming.from) && !live.has(claiming.to.token)
            };
            if node.unanswered.as_ref().is_some_and(vain) {
                node.unanswered = None;
            }
            match &mut node.phase {
                Phase::Claiming(claiming) if vain(claiming) => node.phase = Phase::Idle,
                Phase::Surveyed { worker, row } if !has_disk && !may_come(&live, rows[usize::from(*worker)], *row) => {
                    node.phase = Phase::Idle;
                }
                Phase::Held(held) => {
                    held.down &= has_disk;
                    if !held.versions().any(|version| live.has(version.token)) {
                        held.unconfirmed.clear();
                        held.renewal = None;
                        // It matches nothing else, whatever it is called.
                        held.known.token = held.token;
                    }
                }
                _ => {}
            }
        }
        live = state.live();
        for file in &mut state.files {
            let Some(state) = file else { continue };
            let alone = !state.releasing && state.known.is_some_and(|known| known.horizon > state.horizon);
            if !alone && !state.versions().any(|version| live.has(version.token)) {
                *file = None;
            }
        }
    }
}

/// Tokens, by their bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Tokens(u64);

impl Tokens {
    fn has(&self, token: Token) -> bool {
        self.0 & 1 << token.0 != 0
    }

    fn add(&mut self, token: Token) {
        self.0 |= 1 << token.0;
    }
}

/// Returns whether a row may show again what it showed when it was read.
fn may_come(live: &Tokens, row: Option<Row>, from: Option<Row>) -> bool {
    match from {
        None => row.is_none(),
        Some(Row { token, .. }) => token.is_none_or(|token| live.has(token)),
    }
}

impl State {
    /// Returns the tokens that rows show or may yet show.
    fn live(&self) -> Tokens {
        let mut live = Tokens(0);
        self.rows.iter().flatten().filter_map(|row| row.token).for_each(|token| live.add(token));
        loop {
            let before = live;
            let claim = |worker: u8, from: Option<Row>, to: RowVersion, live: &mut Tokens| {
                if may_come(live, self.rows[usize::from(worker)], from) {
                    live.add(to.token);
                }
            };
            for late in &self.late {
                match &late.statement {
                    Statement::Claim { worker, from, to } => claim(*worker, *from, *to, &mut live),
                    Statement::Renew { known, to, .. } if live.has(known.token) => live.add(to.token),
                    _ => {}
                }
            }
            for node in &self.nodes {
                match &node.phase {
                    Phase::Claiming(claiming) => claim(claiming.worker, claiming.from, claiming.to, &mut live),
                    Phase::Held(held) if held.versions().any(|version| live.has(version.token)) => {
                        live.add(held.token);
                        held.unconfirmed.iter().for_each(|aim| live.add(aim.token));
                    }
                    _ => {}
                }
                if let Some(unanswered) = &node.unanswered {
                    claim(unanswered.worker, unanswered.from, unanswered.to, &mut live);
                }
            }
            if live == before {
                return live;
            }
        }
    }

    pub(super) fn tokens_mut(&mut self, rename: &mut impl FnMut(&mut Token)) {
        self.rows.iter_mut().flatten().flat_map(|row| &mut row.token).for_each(&mut *rename);
        self.files.iter_mut().flatten().for_each(|file| file.tokens_mut(rename));
        self.nodes.iter_mut().for_each(|node| node.tokens_mut(rename));
        self.late.iter_mut().for_each(|late| late.statement.tokens_mut(rename));
    }
}
