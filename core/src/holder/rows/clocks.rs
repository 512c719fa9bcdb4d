//! Whether the clocks of this host, of the database and of the other owners agree.

use super::row::Survey;
use super::settings::RowHolderSettings;
use crate::error::{Error, ErrorKind, Result};
use crate::holder::pace::millis;

/// Refuses to start if the database or most of the other owners show another time than this host. Reading the rows took
/// from `before` until `after`, by this host's clock.
pub(in crate::holder) fn compare(settings: &RowHolderSettings, before: i64, after: i64, survey: &Survey) -> Result<()> {
    let mut others: Vec<i64> = survey
        .rows
        .iter()
        .filter(|row| row.is_leased(survey.now) && !row.is_for_the_past() && row.endpoint != settings.endpoint.as_str())
        .map(|row| row.reported.saturating_add(survey.now.saturating_sub(row.updated)))
        .collect();
    let count = others.len();
    others.sort_unstable();
    // The median, and of two in the middle the nearer one: owners with a wrong clock stop a start only if they are the
    // majority.
    let median = (count > 0).then(|| after.clamp(others[(count - 1) / 2], others[count / 2]));
    let skew = millis(settings.max_clock_skew);
    let owners = format!("the median of {count} other owners shows");
    for (at, whose) in [(Some(survey.now), "the database shows"), (median, owners.as_str())] {
        let Some(at) = at else { continue };
        let (kind, how) = if after.saturating_add(skew) < at {
            (ErrorKind::ClockMovedBackwards, "behind")
        } else if before.saturating_sub(skew) > at {
            (ErrorKind::InvalidConfig, "ahead")
        } else {
            continue;
        };
        let text = format!(
            "this host's clock shows {after} and {whose} {at} (Unix ms): it is {how} by more than max_clock_skew={:?}; set \
             the clock, or raise max_clock_skew",
            settings.max_clock_skew
        );
        return Err(Error::new(kind, text));
    }
    Ok(())
}
