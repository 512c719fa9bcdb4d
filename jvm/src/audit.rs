//! The native of the audit.

use crate::errors::call;
use crate::layout::layout;
use crate::{credentials, options, pending, records, text};
use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JObjectArray, JString};
use jni::sys::jlong;
use leafmint::audit::{AuditRequest, Earlier, Ignored, audit};

/// Begins to read the keys of a database. `tags` are tables and their tags, and `since_columns` the tables and columns
/// of an earlier report. `since` has its time and the number of each column, or nothing without a report. `questions`
/// and `layout` are 0 if there is none.
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_leafmint_Native_auditBegin<'local>(
    env: EnvUnowned<'local>,
    _class: JClass<'local>,
    url: JString<'local>,
    texts: JObjectArray<'local, JString<'local>>,
    numbers: JLongArray<'local>,
    questions: jlong,
    tables: JObjectArray<'local, JString<'local>>,
    tags: JObjectArray<'local, JString<'local>>,
    ignored: JObjectArray<'local, JString<'local>>,
    layout_handle: jlong,
    since_columns: JObjectArray<'local, JString<'local>>,
    since: JLongArray<'local>,
) -> jlong {
    call(env, |env| {
        let url = url.try_to_string(env)?;
        let mut params = options::read(env, &texts, &numbers)?;
        params.extend(credentials::option(questions));
        let ignored = Ignored::parse(text::read_all(env, &ignored)??)?;
        let tags = pairs(text::read_all(env, &tags)??);
        let mut figures = vec![0; since.len(env)?];
        since.get_region(env, 0, &mut figures)?;
        let columns = pairs(text::read_all(env, &since_columns)??);
        let since = figures.split_first().map(|(read_at, used)| earlier(*read_at, columns, used));
        let layout = (layout_handle != 0).then(|| *layout(layout_handle));
        let request = AuditRequest { tables: text::read_all(env, &tables)??, tags, layout, since };
        let report = audit(&url, params, request)?;
        Ok(pending::give_texts(report, move |report| records::audit_report(ignored.remove_from(report))))
    })
}

/// Java has no unsigned numbers, and passes the bits of each.
fn earlier(read_at: jlong, columns: Vec<(String, String)>, used: &[jlong]) -> Earlier {
    let used = columns.into_iter().zip(used).map(|((table, column), used)| (table, column, *used as u64)).collect();
    Earlier { read_at, used }
}

fn pairs(texts: Vec<String>) -> Vec<(String, String)> {
    let mut texts = texts.into_iter();
    std::iter::from_fn(|| texts.next().zip(texts.next())).collect()
}
