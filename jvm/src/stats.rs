//! Figures, to Java.

use crate::errors::Failure;
use crate::{array, text};
use jni::objects::{JObject, JObjectArray};
use jni::sys::jlong;
use jni::{Env, jni_str};
use leafmint::StatValue;
use leafmint::segment::{SegmentStats, TagStats};

/// Returns one of the stats as a text.
pub(crate) fn figure(value: StatValue) -> Option<String> {
    match value {
        StatValue::Count(count) => Some(count.to_string()),
        // The spelling of Double.valueOf.
        StatValue::Measure(Some(f64::INFINITY)) => Some("Infinity".to_owned()),
        StatValue::Measure(measure) => measure.map(|measure| format!("{measure:?}")),
        StatValue::Text(text) => text,
        StatValue::Flag(flag) => Some(flag.to_string()),
        StatValue::Moment(moment) => moment.map(|moment| moment.to_string()),
    }
}

/// Returns the stats of a tag that are numbers: a measure as the bits of a double, NaN if there is none; a moment as
/// Unix milliseconds, -1 if there is none.
pub(crate) fn numbers(stats: &TagStats) -> impl Iterator<Item = jlong> {
    stats.fields().into_iter().filter_map(|value| match value {
        StatValue::Count(count) => Some(count),
        StatValue::Measure(measure) => Some(measure.unwrap_or(f64::NAN).to_bits().cast_signed()),
        StatValue::Flag(flag) => Some(flag.into()),
        StatValue::Moment(moment) => Some(moment.unwrap_or(-1)),
        StatValue::Text(_) => None,
    })
}

/// Makes an array of two arrays: the texts of the generator with the name, the last error and its code of each tag, and
/// the numbers of all tags.
pub(crate) fn write<'local>(env: &mut Env<'local>, stats: SegmentStats) -> Result<JObjectArray<'local>, Failure> {
    let figures: Vec<jlong> = stats.tags.iter().flat_map(|(_, tag)| numbers(tag)).collect();
    let mut texts = vec![Some(stats.scope), Some(stats.store_up.to_string()), stats.host];
    texts.push(Some(stats.failures.len().to_string()));
    for (code, count) in stats.failures {
        texts.extend([Some(code.to_owned()), Some(count.to_string())]);
    }
    for (name, tag) in stats.tags {
        texts.extend([Some(name), tag.last_error, tag.last_error_code.map(str::to_owned)]);
    }
    let (texts, figures) = (text::write_all(env, &texts)?, array::write(env, &figures)?);
    let both = env.new_object_array(2, jni_str!("java/lang/Object"), JObject::null())?;
    both.set_element(env, 0, &texts)?;
    both.set_element(env, 1, &figures)?;
    Ok(both)
}
