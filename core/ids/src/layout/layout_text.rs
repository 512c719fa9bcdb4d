//! The text form of a layout: `leaf`, or `timestamp:41,worker:10,sequence:12`.

use super::bits::{LEAF_EPOCH, Layout, LayoutBits};
use crate::error::{ConfigErrors, Result};
use crate::text::quoted;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// The presets: each name and the text that it stands for. Their default epoch is Leaf's.
///
/// * `leaf`: Leaf's, and the default; 1,024 worker ids, 4,096,000 ids a second each, until July 2080.
/// * `datacenter`: Twitter's, which is the same with 32 datacenters of 32 worker ids.
/// * `wide`: 8,192 worker ids, for one per process; 512,000 ids a second each, until July 2080.
/// * `javascript`: no id is above 2^53 - 1, the largest integer that JavaScript holds exactly. In return, ticks
///   last 10 ms: 128 worker ids, 25,600 ids a second each, until December 2097 (87 years).
pub const LAYOUT_PRESETS: [(&str, &str); 4] = [
    ("leaf", "timestamp:41,worker:10,sequence:12"),
    ("datacenter", "timestamp:41,datacenter:5,worker:5,sequence:12"),
    ("wide", "timestamp:41,worker:13,sequence:9"),
    ("javascript", "timestamp:38,worker:7,sequence:8,unit:10ms"),
];

/// Most bytes of a layout's text: listing all errors of a longer one would fill a page.
const LONGEST_TEXT: usize = 200;

const FIELDS: [&str; 6] = ["timestamp", "datacenter", "worker", "sequence", "gene", "unit"];

impl Layout {
    /// Reads a preset's name, or bits like `timestamp:41,worker:10,sequence:12`, and an epoch in Unix milliseconds.
    ///
    /// `datacenter:`, `gene:` (0 bits each by default) and `unit:` (`1ms`; also `10ms`, `1s`) may be added, in any
    /// order. Every field is taken as written: gene bits do not shrink the `sequence:`, so that `sequence:8,gene:4`
    /// takes 12 bits. The default epoch is Leaf's. Raises `invalid_config`, whose message lists everything that is
    /// wrong.
    ///
    /// ```
    /// use leafmint_ids::layout::Layout;
    /// let layout = Layout::parse("timestamp:41,worker:10,sequence:8,gene:4", None)?;
    /// assert_eq!(layout.bits().gene, 4);
    /// assert_eq!(Layout::parse("wide", Some(0))?.epoch(), 0);
    ///
    /// let error = Layout::parse("timestamp:41,worker:40", None).unwrap_err();
    /// assert!(error.message().contains("worker:40") && error.message().contains("sequence is missing"));
    /// # Ok::<(), leafmint_ids::error::Error>(())
    /// ```
    pub fn parse(text: &str, epoch: Option<i64>) -> Result<Self> {
        let mut errors = ConfigErrors::default();
        let name = text.trim();
        let written = LAYOUT_PRESETS.iter().find(|(preset, _)| *preset == name).map_or(text, |(_, bits)| bits);
        let layout = if text.len() > LONGEST_TEXT {
            errors.add(format!("it is longer than {LONGEST_TEXT} characters"));
            None
        } else if written.contains(':') {
            let mut fields = Fields::split(written, &mut errors);
            let bits = LayoutBits {
                timestamp: fields.bits("timestamp", None, &mut errors),
                datacenter: fields.bits("datacenter", Some(0), &mut errors),
                worker: fields.bits("worker", None, &mut errors),
                sequence: fields.bits("sequence", None, &mut errors),
                gene: fields.bits("gene", Some(0), &mut errors),
            };
            let unit = fields.unit(&mut errors);
            Some(Layout::check(bits, unit, epoch.unwrap_or(LEAF_EPOCH), &mut errors))
        } else {
            let presets = LAYOUT_PRESETS.map(|(preset, _)| preset).join(", ");
            errors.add(format!("write one of {presets}, or bits like timestamp:41,worker:10,sequence:12"));
            None
        };
        errors.into_result(&format!("layout={}", quoted(text)))?;
        // Without an error there is a layout.
        Ok(layout.unwrap_or_default())
    }

    /// Returns a stable text of all bits, the unit in milliseconds and the epoch: layouts with the same fingerprint
    /// read every id the same way.
    ///
    /// ```
    /// let wide = leafmint_ids::layout::Layout::parse("wide", None)?;
    /// let all = "timestamp:41,datacenter:0,worker:13,sequence:9,gene:0,unit:1ms,epoch:1288834974657";
    /// assert_eq!(wide.fingerprint(), all);
    /// # Ok::<(), leafmint_ids::error::Error>(())
    /// ```
    pub fn fingerprint(&self) -> String {
        format!("{self},epoch:{}", self.epoch)
    }
}

impl Default for Layout {
    /// Returns the preset `leaf`.
    fn default() -> Self {
        Self::parse("leaf", None).expect("the presets are valid")
    }
}

/// Writes all bits and the unit, in the form that [`Layout::parse`] reads; the epoch is not part of it.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, bits, _) in self.bits.parts() {
            write!(f, "{name}:{bits},")?;
        }
        write!(f, "unit:{}ms", self.unit_millis)
    }
}

/// The fields as written, by name.
struct Fields<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Fields<'a> {
    fn split(text: &'a str, errors: &mut ConfigErrors) -> Self {
        let mut fields = BTreeMap::new();
        for item in text.split(',') {
            let Some((name, value)) = item.split_once(':') else {
                errors.add(format!("{} is not of the form name:value", quoted(item)));
                continue;
            };
            let name = name.trim();
            if name == "epoch" {
                errors.add("the epoch is not part of the layout's text: give it as the option epoch");
            } else if !FIELDS.contains(&name) {
                errors.add(format!("{} is not known; known are {}", quoted(name), FIELDS.join(", ")));
            } else if fields.insert(name, value.trim()).is_some() {
                errors.add(format!("{name} is given twice"));
            }
        }
        Self(fields)
    }

    /// Reads the bits of one part. A missing or wrong one is replaced by a number that causes no further error.
    fn bits(&mut self, name: &str, default: Option<u32>, errors: &mut ConfigErrors) -> u32 {
        let harmless = default.unwrap_or(1);
        let Some(text) = self.0.get(name) else {
            if default.is_none() {
                errors.add(format!("{name} is missing"));
            }
            return harmless;
        };
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(bits) if digits => bits,
            _ => {
                errors.add(format!("{name}:{} is not a number of bits, 0 to 63", quoted(text)));
                harmless
            }
        }
    }

    fn unit(&mut self, errors: &mut ConfigErrors) -> Duration {
        let Some(text) = self.0.get("unit") else { return Duration::from_millis(1) };
        humantime::parse_duration(text).unwrap_or_else(|cause| {
            errors.add(format!("unit:{} is not a duration ({cause}): write 1ms, 10ms or 1s", quoted(text)));
            Duration::from_millis(1)
        })
    }
}
