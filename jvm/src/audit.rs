//! The native of the audit.

use crate::layout::layout;
use crate::natives::natives;
use crate::{asked, options, pending, records, text};
use jni::sys::jlong;
use leafmint::config::Database;
use leafmint_advisor::audit::{AuditRequest, Earlier, Ignored, audit};

natives!(
    /// Begins to read the keys of a database. `tags` are tables and their tags, and `since_columns` the tables and
    /// columns of an earlier report. `since` has its time and the number of each column, or nothing without a report.
    /// `questions` and `layout` are 0 if there is none.
    fn auditBegin(
        env: &mut Env,
        url: JString,
        texts: Strings,
        numbers: JLongArray,
        questions: jlong,
        tables: Strings,
        tags: Strings,
        ignored: Strings,
        layout_handle: jlong,
        since_columns: Strings,
        since: JLongArray,
    ) -> jlong {
        let url = url.try_to_string(env)?;
        let mut params = options::read(env, &texts, &numbers)?;
        params.extend(asked::option(questions));
        let ignored = Ignored::parse(text::read_all(env, &ignored)??)?;
        let tags = pairs(text::read_all(env, &tags)??);
        let mut figures = vec![0; since.len(env)?];
        since.get_region(env, 0, &mut figures)?;
        let columns = pairs(text::read_all(env, &since_columns)??);
        let since = figures.split_first().map(|(read_at, used)| earlier(*read_at, columns, used));
        let layout = (layout_handle != 0).then(|| *layout(layout_handle));
        let request = AuditRequest { tables: text::read_all(env, &tables)??, tags, layout, since };
        let lender = asked::lender(questions);
        let database = lender.map_or(Database::Url(&url), Database::Lent);
        let report = audit(database, params, request)?;
        Ok(pending::give_texts(report, move |report| records::audit_report(ignored.remove_from(report))))
    }
);

/// Java has no unsigned numbers, and passes the bits of each.
fn earlier(read_at: jlong, columns: Vec<(String, String)>, used: &[jlong]) -> Earlier {
    let used = columns.into_iter().zip(used).map(|((table, column), used)| (table, column, *used as u64)).collect();
    Earlier { read_at, used }
}

fn pairs(texts: Vec<String>) -> Vec<(String, String)> {
    let mut texts = texts.into_iter();
    std::iter::from_fn(|| texts.next().zip(texts.next())).collect()
}
