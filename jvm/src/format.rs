//! Natives of a format.

use crate::natives::{handles, natives, quick_natives};
use crate::{array, handle, text};
use jni::sys::jlong;
use leafmint::format::CalendarDate;
use leafmint::{Format, NumberParts};

handles!(pub(crate) format: Format, formatFree);

natives!(
    /// Makes a format.
    fn formatOf(env: &mut Env, text: JString) -> jlong {
        Ok(handle::give(Format::new(&text.try_to_string(env)?)?))
    }
);

quick_natives!(
    /// Returns the largest number that fits; 2^63 - 1 if the number has no width.
    fn formatLargest(handle: jlong) -> jlong {
        Ok(format(handle).largest())
    },
    /// Returns the most bytes of a text, without those of the key.
    fn formatMostBytes(handle: jlong) -> jlong {
        Ok(format(handle).most_bytes() as jlong)
    },
    /// Writes a number into an array that has room for it, and returns the number of bytes. A `String` made here would
    /// be converted twice. The date counts only if `has_date`, the shard only if `has_shard`; the key may be `null`.
    fn formatFormat(
        env: *mut JNIEnv,
        handle: jlong,
        number: jlong,
        has_date: jboolean,
        year: jlong,
        month: jlong,
        day: jlong,
        key: jbyteArray,
        has_shard: jboolean,
        shard: jlong,
        text: jbyteArray,
    ) -> jlong {
        let date = if has_date { Some(CalendarDate::new(year, month, day)?) } else { None };
        // SAFETY: these are the environment and an argument of this native.
        let key = (!key.is_null()).then(|| unsafe { array::read_bytes(env, key) }).transpose()?;
        let key = key.as_deref().map(|key| str::from_utf8(key).expect("Java encodes keys in UTF-8"));
        let parts = NumberParts { number, date, key, shard: has_shard.then_some(shard) };
        let written = format(handle).format(&parts)?;
        // SAFETY: as above.
        unsafe { array::write_bytes(env, text, written.as_bytes()) };
        Ok(written.len() as jlong)
    }
);

natives!(
    /// Parses a number, and returns its number, date, key and shard as `NumberParts.java` reads them.
    fn formatParse(env: &mut Env, handle: jlong, text: JString, forgiving: jboolean) -> JObject {
        let number = text.try_to_string(env)?;
        let format = format(handle);
        let parts = if forgiving { format.parse_forgiving(&number)? } else { format.parse(&number)? };
        let NumberParts { number, date, key, shard } = parts;
        let texts = [
            Some(number.to_string()),
            date.map(|date| date.to_string()),
            key.map(str::to_owned),
            shard.map(|shard| shard.to_string()),
        ];
        Ok(text::write_all(env, &texts)?)
    }
);
