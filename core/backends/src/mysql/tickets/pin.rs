//! What is pinned in the database of a ticket server, and must not change: it keeps the servers' tickets apart.

use leafmint_engine::store::MAX_STEP;
use leafmint_ids::error::{Error, ErrorKind, Reason, Result};

/// What a server draws: the tickets `offset`, `offset + increment`, `offset + 2 * increment` … Each leases `block` ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pin {
    /// The same on all servers of one id space.
    pub(super) space: String,
    /// The same as long as the server's data lives.
    pub(super) server: String,
    pub(super) increment: i64,
    pub(super) offset: i64,
    pub(super) block: i64,
}

/// The row of the server itself, and what its sessions are configured to draw.
pub(super) struct ConfiguredServer {
    pub(super) pin: Option<Pin>,
    pub(super) increment: i64,
    pub(super) offset: i64,
}

impl ConfiguredServer {
    /// Returns what is pinned. Raises `invalid_config` if nothing is, or if sessions draw other tickets.
    pub(super) fn checked(self, name: &str) -> Result<Pin> {
        let Some(pin) = self.pin else {
            let text = format!(
                "the ticket server {name} has no pinned auto_increment_offset: it is new, or it lost its data, and then \
                 needs an offset that none has had: call init_schema() with all servers in the URL"
            );
            return Err(invalid(text).because(Reason::MissingSchema));
        };
        let is_other = (self.increment, self.offset) != (pin.increment, pin.offset);
        if is_other {
            return Err(invalid(format!(
                "the ticket server {name} has auto_increment_increment={} and auto_increment_offset={}, but {} and {} are \
                 pinned in its database: it would draw tickets of other servers; configure the pinned values, in the \
                 server and in whatever sets session variables",
                self.increment, self.offset, pin.increment, pin.offset
            )));
        }
        if !(1..=MAX_STEP).contains(&pin.block) {
            return Err(invalid(format!(
                "the ticket server {name} has pinned blocks of {} ids, out of range (1 to {MAX_STEP})",
                pin.block
            )));
        }
        check_configured(name, pin.increment, pin.offset)?;
        Ok(pin)
    }
}

/// Refuses an increment and an offset that tell servers not apart. MySQL ignores an offset above the increment.
pub(super) fn check_configured(name: &str, increment: i64, offset: i64) -> Result<()> {
    if increment >= 2 && (1..=increment).contains(&offset) {
        return Ok(());
    }
    Err(invalid(format!(
        "the ticket server {name} has auto_increment_increment={increment} and auto_increment_offset={offset}: set the same \
         increment on every server, at least as large as there will ever be servers (10, for example), and on each server \
         another offset, from 1 to the increment"
    )))
}

impl Pin {
    /// Refuses two servers of which one may draw a ticket of the other, or whose tickets lease other blocks.
    pub(super) fn check_beside(&self, name: &str, other: &Pin, other_name: &str) -> Result<()> {
        let (problem, ours, theirs) = if self.space != other.space {
            ("belong to different id spaces", self.space.clone(), other.space.clone())
        } else if self.block != other.block {
            ("have blocks of different sizes", self.block.to_string(), other.block.to_string())
        } else if self.increment != other.increment {
            (
                "have different values of auto_increment_increment",
                self.increment.to_string(),
                other.increment.to_string(),
            )
        } else if self.offset == other.offset {
            ("have the same auto_increment_offset", self.offset.to_string(), other.offset.to_string())
        } else {
            return Ok(());
        };
        Err(invalid(format!(
            "the ticket servers {name} and {other_name} {problem} ({ours} and {theirs}): they would lease the same ids; no \
             id is leased from either until the URL or the servers are corrected"
        )))
    }
}

pub(super) fn invalid(text: String) -> Error {
    Error::new(ErrorKind::InvalidConfig, text)
}
