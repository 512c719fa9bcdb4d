//! The events that have a name.

use log::Level;

/// A named event, the same in every language's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum EventKind {
    /// A generator was opened: its store or holder, and the options that matter.
    GeneratorOpened,
    /// A generator was closed: what went back.
    GeneratorClosed,
    /// A parameter of a JDBC URL was ignored.
    OptionIgnored,
    /// A refill failed.
    RefillFailed,
    /// Refills work again.
    RefillRecovered,
    /// The store leased a range that it had leased before.
    StoreRegressed,
    /// Unused ids could not be given back and are lost.
    GiveBackFailed,
    /// A worker id was taken.
    LeaseTaken,
    /// No worker id could be taken.
    LeaseFailed,
    /// A worker id was lost.
    LeaseLost,
    /// The lease of a worker id could not be extended.
    LeaseExtensionFailed,
    /// The lease of a worker id is extended again.
    LeaseExtensionRecovered,
    /// A worker id could not be released.
    ReleaseFailed,
    /// The wall clock was set back.
    ClockSteppedBack,
    /// The wall clock was set forward.
    ClockSteppedForward,
    /// The processor's counter disagreed with the system's clock.
    ClockCounterGivenUp,
    /// The layout's time bits run out within a year.
    TimeBitsEnd,
    /// A state file cannot be read.
    StateFileDamaged,
    /// A session is not encrypted.
    SessionUnencrypted,
    /// A ticket server is not used for now.
    TicketServerAway,
    /// A ticket server is used again.
    TicketServerBack,
    /// Ids of a ticket server are handed out by no one.
    TicketsSkipped,
    /// More events happened than were kept.
    EventsDropped,
}

impl EventKind {
    /// Every kind, in the order of `tests/vectors/events.json`.
    pub const ALL: [EventKind; 23] = [
        EventKind::GeneratorOpened,
        EventKind::GeneratorClosed,
        EventKind::OptionIgnored,
        EventKind::RefillFailed,
        EventKind::RefillRecovered,
        EventKind::StoreRegressed,
        EventKind::GiveBackFailed,
        EventKind::LeaseTaken,
        EventKind::LeaseFailed,
        EventKind::LeaseLost,
        EventKind::LeaseExtensionFailed,
        EventKind::LeaseExtensionRecovered,
        EventKind::ReleaseFailed,
        EventKind::ClockSteppedBack,
        EventKind::ClockSteppedForward,
        EventKind::ClockCounterGivenUp,
        EventKind::TimeBitsEnd,
        EventKind::StateFileDamaged,
        EventKind::SessionUnencrypted,
        EventKind::TicketServerAway,
        EventKind::TicketServerBack,
        EventKind::TicketsSkipped,
        EventKind::EventsDropped,
    ];

    /// Returns the name that all languages share, for example `refill_failed`.
    pub fn name(self) -> &'static str {
        &self.target()["leafmint::".len()..]
    }

    /// Returns the target of the event in the `log` crate: the name behind `leafmint::`.
    pub const fn target(self) -> &'static str {
        match self {
            EventKind::GeneratorOpened => "leafmint::generator_opened",
            EventKind::GeneratorClosed => "leafmint::generator_closed",
            EventKind::OptionIgnored => "leafmint::option_ignored",
            EventKind::RefillFailed => "leafmint::refill_failed",
            EventKind::RefillRecovered => "leafmint::refill_recovered",
            EventKind::StoreRegressed => "leafmint::store_regressed",
            EventKind::GiveBackFailed => "leafmint::give_back_failed",
            EventKind::LeaseTaken => "leafmint::lease_taken",
            EventKind::LeaseFailed => "leafmint::lease_failed",
            EventKind::LeaseLost => "leafmint::lease_lost",
            EventKind::LeaseExtensionFailed => "leafmint::lease_extension_failed",
            EventKind::LeaseExtensionRecovered => "leafmint::lease_extension_recovered",
            EventKind::ReleaseFailed => "leafmint::release_failed",
            EventKind::ClockSteppedBack => "leafmint::clock_stepped_back",
            EventKind::ClockSteppedForward => "leafmint::clock_stepped_forward",
            EventKind::ClockCounterGivenUp => "leafmint::clock_counter_given_up",
            EventKind::TimeBitsEnd => "leafmint::time_bits_end",
            EventKind::StateFileDamaged => "leafmint::state_file_damaged",
            EventKind::SessionUnencrypted => "leafmint::session_unencrypted",
            EventKind::TicketServerAway => "leafmint::ticket_server_away",
            EventKind::TicketServerBack => "leafmint::ticket_server_back",
            EventKind::TicketsSkipped => "leafmint::tickets_skipped",
            EventKind::EventsDropped => "leafmint::events_dropped",
        }
    }

    /// Returns the level at which it is logged.
    pub const fn level(self) -> Level {
        match self {
            EventKind::StoreRegressed => Level::Error,
            EventKind::GeneratorOpened
            | EventKind::GeneratorClosed
            | EventKind::RefillRecovered
            | EventKind::LeaseTaken
            | EventKind::LeaseExtensionRecovered
            | EventKind::TicketServerBack
            | EventKind::TicketsSkipped => Level::Info,
            EventKind::OptionIgnored
            | EventKind::RefillFailed
            | EventKind::GiveBackFailed
            | EventKind::LeaseFailed
            | EventKind::LeaseLost
            | EventKind::LeaseExtensionFailed
            | EventKind::ReleaseFailed
            | EventKind::ClockSteppedBack
            | EventKind::ClockSteppedForward
            | EventKind::ClockCounterGivenUp
            | EventKind::TimeBitsEnd
            | EventKind::StateFileDamaged
            | EventKind::SessionUnencrypted
            | EventKind::TicketServerAway
            | EventKind::EventsDropped => Level::Warn,
        }
    }
}
