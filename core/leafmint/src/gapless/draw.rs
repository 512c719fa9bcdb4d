//! One call for numbers, and what the answers of the database mean.

use super::unfit::{not_counted, not_whole, other_name};
use super::{Dialect, Statements, TABLE};
use leafmint_backends::tables::gapless::{ADD_KEY, has_trigger, unfit};
use leafmint_backends::{mysql, postgresql};
use leafmint_ids::error::{Error, ErrorKind, Result};
use std::ops::RangeInclusive;

/// The columns of a row, as text.
pub type Answer = [Option<String>];

/// A call that takes numbers of a group in one database, or that reads the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    pub(super) dialect: Dialect,
    /// The name of the row.
    pub(super) row: String,
    /// How many numbers are taken; 0 for none.
    pub(super) count: i64,
    pub(super) start: i64,
    /// The largest number that there is room for.
    pub(super) largest: i64,
    /// The rows that the driver counted.
    pub(super) counted: Option<u64>,
}

impl Draw {
    /// Returns the name of the row.
    pub fn row(&self) -> &str {
        &self.row
    }

    /// Returns the statements to run.
    pub fn statements(&self) -> Statements {
        let dialect = self.dialect;
        let takes = self.count > 0;
        Statements {
            look: dialect.look(),
            take: takes.then(|| dialect.take()),
            numbers: dialect.in_order(self.of_new_row(), self.count, self.largest.saturating_sub(self.count)),
            read: if takes { dialect.read_taken() } else { Some(dialect.read_last()) },
        }
    }

    /// Returns the number of a row that this call makes.
    const fn of_new_row(&self) -> i64 {
        self.start.saturating_add(self.count - 1)
    }

    /// Raises `id_space_exhausted` if a new row has no room.
    pub(super) fn check_room(&self) -> Result<()> {
        let fits = self.start.checked_add(self.count - 1).is_some_and(|last| last <= self.largest);
        if fits { Ok(()) } else { Err(self.no_room()) }
    }

    /// Judges the answer to [`Statements::look`] before anything else is run. Raises `invalid_config`.
    pub fn check_table(&self, answer: Option<&Answer>) -> Result<()> {
        let definition = answer.and_then(|columns| columns.get(1)?.as_deref());
        match (self.dialect, definition) {
            (Dialect::MySql, Some(definition)) => mysql::check_gapless(definition, TABLE),
            _ => Ok(()),
        }
    }

    /// Notes how many rows [`Statements::take`] affected, as the driver counts them. Some drivers ping the server
    /// before each statement, which hides the server's own count.
    pub fn counted(self, rows: u64) -> Self {
        Self { counted: Some(rows), ..self }
    }

    /// Judges the row of numbers that were taken, and returns them. There is no row if nothing was taken.
    ///
    /// Each call is judged with its table, so that a table that is changed later is found as well. Raises
    /// `id_space_exhausted`, and `invalid_config` if the table cannot count without gaps.
    pub fn numbers(&self, answer: Option<&Answer>) -> Result<RangeInclusive<i64>> {
        let Some(answer) = answer else { return Err(self.no_room()) };
        let number = self.number(answer)?.filter(|number| *number >= self.count).ok_or_else(|| self.no_room())?;
        let is_new = number == self.of_new_row();
        let counted = self.counted.or_else(|| column(answer, 3)?.parse().ok());
        match (self.dialect, counted) {
            (Dialect::MySql, Some(0)) => Err(not_counted(&self.row, number)),
            (Dialect::MySql, Some(1)) if !is_new => Err(not_counted(&self.row, number)),
            _ => Ok(number - self.count + 1..=number),
        }
    }

    /// Judges the row of the last number, and returns it; `None` if none was taken. Raises `invalid_config`, and
    /// `id_space_exhausted` for a row without a next number.
    pub fn last(&self, answer: Option<&Answer>) -> Result<Option<i64>> {
        // MySQL answers with a row of nothing.
        let Some(answer) = answer.filter(|answer| column(answer, 1).is_some()) else { return Ok(None) };
        match self.number(answer)? {
            Some(number @ 0..) => Ok(Some(number).filter(|number| *number > 0)),
            _ => Err(self.no_room()),
        }
    }

    /// Judges a row and its table, and returns its number.
    fn number(&self, answer: &Answer) -> Result<Option<i64>> {
        self.check_facts([column(answer, 3), column(answer, 4)])?;
        if let Some(stored) = column(answer, 1).filter(|stored| *stored != self.row) {
            return Err(other_name(&self.row, stored));
        }
        if column(answer, 0).is_some() && column(answer, 2) != Some("1") {
            return Err(not_whole(&self.row));
        }
        Ok(column(answer, 0).and_then(|text| text.parse().ok()))
    }

    /// Judges what a row says of its table.
    fn check_facts(&self, facts: [Option<&str>; 2]) -> Result<()> {
        match (self.dialect, facts) {
            (Dialect::MySql, [_, Some(rows)]) if !matches!(rows, "0" | "1") => Err(unfit(&format!(
                "has {rows} rows of sequence {:?}: delete all but the one with the highest number, and {ADD_KEY}",
                self.row
            ))),
            (Dialect::Postgres, [Some(kind), _]) => {
                Err(postgresql::not_lasting(&format!("the table {TABLE}"), TABLE, kind))
            }
            (Dialect::Sqlite, [Some(_), _]) => Err(unfit(
                "is a temporary table of this connection, which hides the one that others use: drop it, or rename it",
            )),
            (Dialect::Postgres | Dialect::Sqlite, [None, Some(trigger)]) => Err(has_trigger(trigger)),
            _ => Ok(()),
        }
    }

    /// Describes a row that has no room for the numbers of this call.
    pub(super) fn no_room(&self) -> Error {
        let Self { row, count, largest, .. } = self;
        let next = match count {
            0 | 1 => "no next number".to_owned(),
            count => format!("no room for {count} more numbers"),
        };
        let problem = format!(
            "sequence {row:?} has {next}, and took none: its numbers end at {}, and its row in {TABLE} is at the end, \
             negative, or without a number: widen the format, or correct the row",
            shown(*largest)
        );
        Error::new(ErrorKind::IdSpaceExhausted, problem)
    }
}

/// Returns the largest number as people read it.
pub(super) fn shown(largest: i64) -> String {
    if largest == i64::MAX { "2^63 - 1".to_owned() } else { largest.to_string() }
}

fn column(answer: &Answer, at: usize) -> Option<&str> {
    answer.get(at)?.as_deref()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a call for this many numbers of a sequence whose first one is 100; for 0, of the last number.
    pub(in crate::gapless) fn draw(dialect: Dialect, count: i64) -> Draw {
        Draw { dialect, row: "invoice".to_owned(), count, start: 100, largest: 9999, counted: None }
    }

    const LEAFMINTS: &str = "CREATE TABLE `leafmint_gapless` (\n  `name` varchar(128) NOT NULL,\n  `number` bigint(20) NOT NULL,\n  \
                             PRIMARY KEY (`name`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin";

    fn of_table(definition: &str) -> Result<()> {
        draw(Dialect::MySql, 1).check_table(Some(&[Some(TABLE.to_owned()), Some(definition.to_owned())]))
    }

    #[test]
    fn a_table_that_segments_would_refuse_is_refused_before_a_number_is_taken() {
        assert_eq!(of_table(LEAFMINTS), Ok(()));
        for (part, other, remedy) in [
            ("PRIMARY KEY (`name`)", "UNIQUE KEY `of` (`name`,`number`)", "ADD UNIQUE (name)"),
            ("PRIMARY KEY (`name`)", "KEY `of` (`name`)", "ADD UNIQUE (name)"),
            ("ENGINE=InnoDB", "ENGINE=MyISAM", "ENGINE=InnoDB"),
            ("ENGINE=InnoDB", "ENGINE=Aria", "ENGINE=InnoDB"),
            ("CREATE TABLE", "CREATE TEMPORARY TABLE", "temporary"),
            ("CREATE TABLE", "CREATE ALGORITHM=UNDEFINED VIEW", "view"),
            ("bigint(20)", "int(11)", "MODIFY number BIGINT"),
            ("bigint(20)", "decimal(20,0)", "MODIFY number BIGINT"),
            ("bigint(20)", "varchar(20)", "MODIFY number BIGINT"),
        ] {
            let error = of_table(&LEAFMINTS.replace(part, other)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{other}");
            assert!(error.message().contains(remedy), "{error}");
        }
    }

    #[test]
    fn other_ways_to_write_a_fit_table_are_accepted() {
        for (part, other) in [
            ("PRIMARY KEY (`name`)", "UNIQUE KEY `of` (`name`) USING BTREE"),
            ("PRIMARY KEY (`name`)", "PRIMARY KEY (`name`) /*T![clustered_index] CLUSTERED */"),
            ("bigint(20)", "bigint unsigned"),
            ("ENGINE=InnoDB ", ""),
            ("`", "\""),
            ("`", ""),
        ] {
            assert_eq!(of_table(&LEAFMINTS.replace(part, other)), Ok(()), "{other}");
        }
        assert_eq!(draw(Dialect::MySql, 1).check_table(None), Ok(()));
    }

    fn answer(columns: [&str; 5]) -> [Option<String>; 5] {
        columns.map(|column| Some(column.to_owned()).filter(|column| column != "NULL"))
    }

    use Dialect::{MySql, Postgres, Sqlite};

    #[test]
    fn each_number_is_judged_with_its_table() {
        for (dialect, columns, count) in [
            (MySql, ["100", "invoice", "1", "1", "1"], 1),
            (MySql, ["100", "invoice", "1", "2", "1"], 1),
            (MySql, ["104", "invoice", "1", "1", "1"], 5),
            // A statement that an observer ran in between hides the count.
            (MySql, ["100", "invoice", "1", "-1", "1"], 1),
            (Postgres, ["100", "invoice", "1", "NULL", "NULL"], 1),
            (Sqlite, ["100", "invoice", "1", "NULL", "NULL"], 100),
        ] {
            let last: i64 = columns[0].parse().unwrap();
            assert_eq!(draw(dialect, count).numbers(Some(&answer(columns))), Ok(last - count + 1..=last));
            assert_eq!(draw(dialect, 0).last(Some(&answer(columns))), Ok(Some(last)));
        }
        for (dialect, columns, part) in [
            (MySql, ["4", "invoice", "1", "1", "2"], "2 rows"),
            (MySql, ["4", "invoice", "0", "2", "1"], "BIGINT"),
            (MySql, ["4", "Invoice", "1", "2", "1"], "\"Invoice\""),
            (Postgres, ["4", "invoice", "1", "r", "NULL"], "SET LOGGED"),
            (Postgres, ["4", "invoice", "1", "NULL", "resets"], "trigger resets"),
            (Postgres, ["4", "invoice", "0", "NULL", "NULL"], "BIGINT"),
            (Sqlite, ["4", "invoice", "1", "leafmint_gapless", "NULL"], "temporary"),
            (Sqlite, ["4", "invoice", "1", "NULL", "resets"], "trigger resets"),
            (Sqlite, ["4.0", "invoice", "0", "NULL", "NULL"], "INTEGER"),
        ] {
            let answer = answer(columns);
            for error in [
                draw(dialect, 1).numbers(Some(&answer)).unwrap_err(),
                draw(dialect, 0).last(Some(&answer)).unwrap_err(),
            ] {
                assert_eq!(error.kind(), ErrorKind::InvalidConfig, "{error}");
                assert!(error.message().contains(part), "{error}");
            }
        }
    }

    #[test]
    fn a_row_of_mysql_that_was_not_counted_on_is_refused() {
        for (columns, count, part) in [
            (["101", "invoice", "1", "1", "1"], 1, "still 101"),
            (["101", "invoice", "1", "1", "1"], 3, "still 101"),
            (["100", "invoice", "1", "0", "1"], 1, "still 100"),
        ] {
            let error = draw(MySql, count).numbers(Some(&answer(columns))).unwrap_err();
            assert!(error.message().contains(part), "{error}");
        }
    }

    #[test]
    fn what_the_driver_counted_goes_before_what_a_ping_has_hidden() {
        let of = |counted, columns| draw(MySql, 1).counted(counted).numbers(Some(&answer(columns)));
        assert_eq!(of(1, ["100", "invoice", "1", "0", "1"]), Ok(100..=100));
        assert_eq!(of(2, ["101", "invoice", "1", "0", "1"]), Ok(101..=101));
        for (counted, number) in [(0, "101"), (1, "101")] {
            assert!(of(counted, [number, "invoice", "1", "2", "1"]).is_err());
        }
    }

    #[test]
    fn a_sequence_without_room_is_exhausted() {
        for columns in
            [["-4", "invoice", "1", "2", "1"], ["4", "invoice", "1", "2", "1"], ["NULL", "invoice", "NULL", "1", "1"]]
        {
            let error = draw(MySql, 5).numbers(Some(&answer(columns))).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted);
        }
        for count in [1, 5] {
            assert_eq!(draw(Sqlite, count).numbers(None).unwrap_err().kind(), ErrorKind::IdSpaceExhausted);
        }
        let error = draw(Postgres, 0).last(Some(&answer(["-4", "invoice", "1", "NULL", "NULL"]))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted);
    }

    #[test]
    fn a_sequence_that_took_nothing_has_no_last_number() {
        assert_eq!(draw(Sqlite, 0).last(None), Ok(None));
        assert_eq!(draw(MySql, 0).last(Some(&answer(["NULL", "NULL", "NULL", "0", "0"]))), Ok(None));
        assert_eq!(draw(Postgres, 0).last(Some(&answer(["0", "invoice", "1", "NULL", "NULL"]))), Ok(None));
    }

    #[test]
    fn the_statements_carry_what_a_new_row_and_an_old_one_need() {
        let numbers = |dialect, count| draw(dialect, count).statements().numbers;
        assert_eq!(
            [numbers(MySql, 5), numbers(Postgres, 5), numbers(Sqlite, 1)],
            [[104, 9994, 5], [104, 5, 9994], [100, 1, 9998]]
        );
        let [taking, reading] = [1, 0].map(|count| draw(Sqlite, count).statements());
        assert_eq!((taking.take.is_some(), taking.read), (true, None));
        assert_eq!((reading.take, reading.read.is_some()), (None, true));
    }
}
