//! The sequences that tags may draw from.

use super::SequenceStore;
use super::draw::facts;
use super::sequence::Facts;
use crate::postgresql::operators::EQ;
use crate::postgresql::{Row, Session, column, text};
use crate::sessions::Outcome;
use leafmint_engine::store::TagInfo;
use leafmint_ids::error::{Error, ErrorKind};
use leafmint_ids::text::pasted::SqlDialect;

/// Maximum size of the list that the server sends: some 300,000 sequences.
const MOST_BYTES: usize = 64 << 20;

impl SequenceStore {
    /// Lists the sequences that the option names, each by its tag. One that serves all tags is listed by its own name.
    pub(super) async fn list(&self, session: &mut Session) -> Outcome<Vec<TagInfo>> {
        let Some((schema, before, behind)) = self.name.parts() else { return Ok(Vec::new()) };
        let (schema, is_one) = (schema.unwrap_or(""), !self.name.has_tag());
        let params = [text(&schema), text(&before), text(&behind)];
        let rows = session.query_up_to(MOST_BYTES, &statement(is_one), &params).await?;
        let mut tags = rows.iter().map(|row| self.info(row, is_one)).collect::<Outcome<Vec<_>>>()?;
        tags.sort_by(|a, b| a.biz_tag.cmp(&b.biz_tag));
        Ok(tags)
    }

    fn info(&self, row: &Row, is_one: bool) -> Outcome<TagInfo> {
        let (name, tag): (String, String) = (column(row, 0)?, column(row, 1)?);
        let found = Facts::from_array(&column::<Vec<i64>>(row, 2)?);
        let unread = || Error::new(ErrorKind::StoreUnavailable, "the server's answer does not describe a sequence");
        let (facts, last) = (found.ok_or_else(unread)?, column::<Option<i64>>(row, 3)?);
        let next = last.map_or(facts.start, |last| last.saturating_add(facts.increment));
        let judged = facts.judge(&SqlDialect::Postgres.quoted(&name), self.optimizer, last, &self.scope);
        let biz_tag = if is_one { name } else { tag };
        let info =
            TagInfo { biz_tag, max_id: Some(next), step: Some(self.step), gene_bits: Some(0), ..TagInfo::default() };
        Ok(info.judged(judged))
    }
}

/// Returns the statement that lists the sequences of the schema `$1`, or those that the search path finds, whose names
/// begin with `$2` and end with `$3`, or are `$2`.
fn statement(is_one: bool) -> String {
    let name = "q.relname::pg_catalog.text";
    let tag = format!(
        "pg_catalog.substr({name}, pg_catalog.length($2) OPERATOR(pg_catalog.+) 1, \
         GREATEST(pg_catalog.length({name}) OPERATOR(pg_catalog.-) pg_catalog.length($2) OPERATOR(pg_catalog.-) pg_catalog.length($3), 0))"
    );
    let condition = if is_one {
        format!("{name} {EQ} $2 AND $3 {EQ} ''")
    } else {
        format!("{name} {EQ} pg_catalog.concat($2, {tag}, $3) AND pg_catalog.length({tag}) OPERATOR(pg_catalog.>) 0")
    };
    format!(
        "SELECT {name}, {tag}, {}, CASE WHEN {} {EQ} 1 THEN pg_catalog.pg_sequence_last_value(q.oid::pg_catalog.regclass) END \
         FROM pg_catalog.pg_class AS q JOIN pg_catalog.pg_namespace AS n ON n.oid {EQ} q.relnamespace WHERE q.relkind {EQ} 'S' \
         AND CASE WHEN $1 {EQ} '' THEN pg_catalog.pg_table_is_visible(q.oid) ELSE n.nspname::pg_catalog.text {EQ} $1 END AND {condition}",
        facts("q", "q.relfilenode"),
        super::draw::is_allowed("q"),
    )
}
