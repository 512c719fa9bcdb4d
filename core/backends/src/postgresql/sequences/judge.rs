//! Whether ids can be leased from a sequence.

use super::name::SequenceName;
use super::optimizer::SequenceOptimizer;
use super::sequence::Facts;
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};

impl Facts {
    /// Refuses a sequence whose numbers may come again, or stand for ids that are not known. `name` is quoted for SQL,
    /// `last` the last value, if there is one since it was made or set.
    pub(super) fn judge(&self, name: &str, optimizer: SequenceOptimizer, last: Option<i64>, scope: &str) -> Result<()> {
        let (increment, alter) = (self.increment, SequenceName::sql("ALTER SEQUENCE", name));
        let refused = |text: String| Err(Error::new(ErrorKind::InvalidConfig, format!("{scope}: {name} {text}")));
        if !self.is_sequence {
            return refused("is no sequence: correct the option sequence".to_owned());
        }
        if !self.is_lasting {
            let text = "is temporary or unlogged, and begins again after a crash: name another, or run";
            return refused(format!("{text} {}", alter.words("SET LOGGED")));
        }
        if !self.is_allowed {
            let grant = SequenceName::sql("GRANT USAGE ON SEQUENCE", name).words("TO …");
            return refused(format!("may not be used by this account: run {grant}"))
                .map_err(|error| error.because(Reason::Denied));
        }
        if self.is_cycle {
            return refused(format!("gives its numbers again at its end: run {}", alter.words("NO CYCLE")));
        }
        if self.cache != 1 {
            return refused(format!(
                "has CACHE {}, so each session of a pool gives numbers of its own, out of order: run {}, which needs no \
                 stop; leafmint leases ahead by itself",
                self.cache,
                alter.words("CACHE 1")
            ));
        }
        if increment < 1 {
            return refused(format!("counts by {increment}: ids ascend, so its increment must be 1 or more"));
        }
        if increment > 1 && optimizer == SequenceOptimizer::None {
            return refused(format!(
                "counts by {increment}, and each writer must agree on the {increment} ids that a value stands for: set sequence_optimizer to \
                 pooled, if value v stands for the ids up to v (Hibernate's default), or to pooled-lo, if for those from v on; or \
                 run {}, if every writer uses just the value",
                alter.words("INCREMENT BY 1")
            ));
        }
        match last.filter(|last| !self.is_on_grid(*last)) {
            Some(last) => Err(self.off_grid(name, last, scope)),
            None => Ok(()),
        }
    }

    /// Refuses what changed while this process used the sequence: blocks of another size may reach into those in hand.
    pub(super) fn check_since(&self, before: &Self, name: &str, scope: &str) -> Result<()> {
        if before.increment == self.increment {
            return Ok(());
        }
        let text = format!(
            "{scope}: the increment of {name} was changed from {} to {} while this process used it: reopen, once every writer \
             goes by the new one, or set it back",
            before.increment, self.increment
        );
        Err(Error::new(ErrorKind::InvalidConfig, text))
    }

    /// Describes a value that is none of the start and what follows on it.
    pub(super) fn off_grid(&self, name: &str, value: i64, scope: &str) -> Error {
        let (start, increment) = (self.start, self.increment);
        let restart = SequenceName::sql("ALTER SEQUENCE", name).words("START WITH").number(value);
        let text = format!(
            "{scope}: {name} gave {value}, which is not its start {start} and a multiple of its increment {increment}: it was set by \
             RESTART or setval, so blocks of before and after may share ids. If all ids below {value} are used or given up, make it \
             the start: {restart}"
        );
        Error::new(ErrorKind::InvalidConfig, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: Facts = Facts {
        oid: 16385,
        is_sequence: true,
        is_lasting: true,
        is_allowed: true,
        file: 16385,
        start: 1,
        maximum: i64::MAX,
        increment: 1,
        is_cycle: false,
        cache: 1,
    };

    fn problem(facts: Facts, optimizer: SequenceOptimizer, last: Option<i64>) -> String {
        facts.judge("\"s\"", optimizer, last, "db").err().map_or_else(String::new, |error| error.message().to_owned())
    }

    #[test]
    fn what_a_sequence_must_be_is_judged() {
        assert_eq!(problem(SOUND, SequenceOptimizer::None, Some(7)), "");
        for (facts, word) in [
            (Facts { is_sequence: false, ..SOUND }, "no sequence"),
            (Facts { is_lasting: false, ..SOUND }, "unlogged"),
            (Facts { is_allowed: false, ..SOUND }, "GRANT USAGE"),
            (Facts { is_cycle: true, ..SOUND }, "NO CYCLE"),
            (Facts { cache: 2, ..SOUND }, "CACHE 1"),
            (Facts { increment: -1, ..SOUND }, "counts by -1"),
            (Facts { increment: 50, ..SOUND }, "sequence_optimizer"),
        ] {
            assert!(problem(facts, SequenceOptimizer::None, None).contains(word), "{facts:?}");
        }
    }

    #[test]
    fn a_value_off_the_grid_is_found() {
        let fifty = Facts { increment: 50, start: 1, ..SOUND };
        assert_eq!(problem(fifty, SequenceOptimizer::Pooled, Some(151)), "");
        assert!(problem(fifty, SequenceOptimizer::Pooled, Some(150)).contains("START WITH 150"));
    }

    #[test]
    fn another_increment_than_before_is_refused() {
        assert!(SOUND.check_since(&Facts { increment: 50, ..SOUND }, "s", "db").is_err());
        assert!(SOUND.check_since(&Facts { file: 7, ..SOUND }, "s", "db").is_ok());
    }
}
