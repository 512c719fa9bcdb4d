//! Puts a catalogue together from what an engine lists.

use super::catalogue::{Catalogue, Column, Counter, Key, Reference};
use super::request::AuditRequest;
use std::collections::{HashMap, HashSet};

/// Names of columns that hold the time of a row's insertion, by which the growth is measured.
const TIME_COLUMNS: &[&str] = &[
    "created_at",
    "created",
    "created_on",
    "created_date",
    "created_time",
    "create_time",
    "createtime",
    "createdat",
    "gmt_create",
    "inserted_at",
    "date_created",
    "date_joined",
    "date_added",
    "creation_date",
    "creation_time",
];

/// What an engine lists of all tables, before any table is read.
#[derive(Default)]
pub struct Listed {
    pub columns: Vec<ListedColumn>,
    pub references: Vec<ListedReference>,
    /// Tables that the engine itself cannot open.
    pub damaged: Vec<String>,
    /// The account sees no table, where the engine hides those that it may not read.
    pub sees_nothing: bool,
}

impl Listed {
    /// Returns the names of the tables.
    pub fn tables(&self) -> HashSet<&str> {
        let columns = self.columns.iter().map(|column| &column.table);
        columns.chain(&self.damaged).map(String::as_str).collect()
    }

    /// Spells the columns that foreign keys point to as the tables themselves do. An engine may list them as the
    /// keys' definitions spell them.
    pub fn spelt(mut self) -> Self {
        let folded = |(table, name): &(String, String)| (table.to_lowercase(), name.to_lowercase());
        let names: Vec<_> = self.columns.iter().map(|column| (column.table.clone(), column.name.clone())).collect();
        let alike: HashMap<_, _> = names.iter().map(|name| (folded(name), name)).collect();
        let names: HashSet<_> = names.iter().collect();
        for reference in self.references.iter_mut().filter(|reference| !names.contains(&reference.to)) {
            if let Some(name) = alike.get(&folded(&reference.to)) {
                reference.to = (*name).clone();
            }
        }
        self
    }
}

/// A column as an engine lists it.
#[derive(Clone, Default)]
pub struct ListedColumn {
    pub table: String,
    /// The table as statements name it.
    pub quoted: String,
    pub name: String,
    pub data_type: String,
    /// The highest number that fits; `None` if the column holds no whole numbers.
    pub largest: Option<u64>,
    /// It holds times.
    pub is_time: bool,
    /// An index begins with it, so that its highest number is at the index's end.
    pub is_ordered: bool,
    /// It is the whole primary key.
    pub is_identity: bool,
    /// The engine fills it.
    pub is_counted: bool,
}

/// A foreign key as an engine lists it: tables and columns by name.
pub struct ListedReference {
    pub from: (String, String),
    pub to: (String, String),
}

/// The counter of a column, or one that fills no column.
pub struct ListedCounter {
    pub column: Column,
    pub course: Course,
}

/// How a counter counts.
pub enum Course {
    /// Up to an end.
    Up(Counter),
    /// Down, from below zero, or again from its beginning: its highest number says nothing.
    Otherwise,
    /// The account may not read the sequence of this name.
    Unread(String),
}

/// Puts together the keys and foreign keys of the tables that are asked for.
pub(super) fn assemble(listed: &Listed, request: &AuditRequest) -> Catalogue {
    let mut times: HashMap<&str, &str> = HashMap::new();
    for column in listed.columns.iter().filter(|column| column.is_time) {
        if TIME_COLUMNS.contains(&column.name.to_lowercase().as_str()) {
            times.insert(&column.table, &column.name);
        }
    }
    let key = |found: &ListedColumn| {
        let is_key = found.is_ordered && (found.is_identity || found.is_counted) && request.takes(&found.table);
        let column = is_key.then(|| found.column()).flatten()?;
        let time_column = times.get(found.table.as_str()).map(|name| (*name).to_owned());
        Some(Key { column, time_column, ..Key::default() })
    };
    let keys = listed.columns.iter().filter_map(key).collect();
    Catalogue { keys, references: references(listed, request) }
}

fn references(listed: &Listed, request: &AuditRequest) -> Vec<Reference> {
    let name = |column: &ListedColumn| (column.table.clone(), column.name.clone());
    let columns: HashMap<_, _> = listed.columns.iter().map(|column| (name(column), column)).collect();
    let taken = listed.references.iter().filter(|found| request.takes(&found.from.0));
    let reference = |found: &ListedReference| {
        let (from, to) = (columns.get(&found.from)?, columns.get(&found.to)?);
        Some(Reference { from: from.column()?, to: to.column()?, is_ordered: to.is_ordered, highest: None })
    };
    taken.filter_map(reference).collect()
}

/// Gives each key its counter, and returns the names of the counters that cannot be read. A counter that fills no key
/// becomes one of its own, unless its table is not to be read. A key whose numbers do not rise is removed.
pub(super) fn add_counters(
    catalogue: &mut Catalogue,
    counters: Vec<ListedCounter>,
    takes: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut unread = Vec::new();
    for ListedCounter { column, course } in counters.into_iter().filter(|listed| takes(&listed.column.table)) {
        let at = catalogue.keys.iter().position(|key| key.column.is(&column.table, &column.name));
        match (course, at) {
            (Course::Up(counter), Some(at)) => catalogue.keys[at].counter = Some(counter),
            (Course::Up(counter), None) => {
                catalogue.keys.push(Key { column, counter: Some(counter), ..Key::default() })
            }
            (Course::Otherwise, Some(at)) => {
                catalogue.keys.remove(at);
            }
            (Course::Otherwise, None) => {}
            (Course::Unread(name), _) => unread.push(name),
        }
    }
    unread
}

impl ListedColumn {
    pub fn column(&self) -> Option<Column> {
        Some(Column {
            table: self.table.clone(),
            quoted: self.quoted.clone(),
            name: self.name.clone(),
            data_type: self.data_type.clone(),
            largest: self.largest?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(table: &str, name: &str, is_identity: bool) -> ListedColumn {
        let (table, name) = (table.to_owned(), name.to_owned());
        ListedColumn { table, name, largest: Some(127), is_ordered: is_identity, is_identity, ..Default::default() }
    }

    #[test]
    fn a_key_is_ordered_and_identifies_rows() {
        let time = ListedColumn { is_time: true, largest: None, ..listed("orders", "Created_At", false) };
        let columns = vec![listed("orders", "id", true), listed("orders", "amount", false), time];
        let catalogue = assemble(&Listed { columns, ..Listed::default() }, &AuditRequest::default());
        let keys: Vec<_> =
            catalogue.keys.iter().map(|key| (key.column.name.as_str(), key.time_column.as_deref())).collect();
        assert_eq!(keys, [("id", Some("Created_At"))]);
    }

    #[test]
    fn only_the_tables_asked_for_are_taken() {
        let columns = vec![listed("shop_orders", "id", true), listed("users", "id", true)];
        let request = AuditRequest { tables: vec!["shop_*".to_owned()], ..AuditRequest::default() };
        let catalogue = assemble(&Listed { columns, ..Listed::default() }, &request);
        assert_eq!(catalogue.keys.len(), 1);
    }

    #[test]
    fn a_counter_without_a_key_is_judged_by_itself() {
        let mut catalogue = Catalogue::default();
        add_counters(&mut catalogue, vec![counter("numbers_seq", up()), counter("other", up())], |it| it != "other");
        assert_eq!(catalogue.keys.iter().map(Key::used).collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn a_key_whose_counter_does_not_rise_to_an_end_is_not_judged() {
        let mut catalogue = Catalogue::default();
        add_counters(&mut catalogue, vec![counter("orders", up()), counter("turns", up())], |_| true);
        add_counters(&mut catalogue, vec![counter("turns", Course::Otherwise)], |_| true);
        assert_eq!(catalogue.keys.iter().map(|key| key.column.table.as_str()).collect::<Vec<_>>(), ["orders"]);
    }

    #[test]
    fn a_counter_that_cannot_be_read_is_named() {
        let unread = vec![counter("orders", Course::Unread("orders_id_seq".to_owned()))];
        assert_eq!(add_counters(&mut Catalogue::default(), unread, |_| true), ["orders_id_seq"]);
    }

    fn up() -> Course {
        Course::Up(Counter { next: 7, ..Counter::up_to(127) })
    }

    fn counter(table: &str, course: Course) -> ListedCounter {
        let column = Column { table: table.to_owned(), largest: 127, ..Column::default() };
        ListedCounter { column, course }
    }
}
