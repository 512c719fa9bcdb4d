//! The events that have a name: declared here once.

use log::Level;

macro_rules! events {
    ($($kind:ident $level:ident $name:literal $meaning:literal;)*) => {
        /// A named event, the same in every language's log.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum EventKind {
            $(#[doc = concat!($meaning, ".")] $kind,)*
        }

        impl EventKind {
            /// Every kind.
            pub const ALL: &[EventKind] = &[$(EventKind::$kind),*];

            /// Returns the name that all languages share, for example `refill_failed`.
            pub fn name(self) -> &'static str {
                &self.target()["leafmint::".len()..]
            }

            /// Returns the target of the event in the `log` crate: the name behind `leafmint::`.
            pub const fn target(self) -> &'static str {
                match self {
                    $(EventKind::$kind => concat!("leafmint::", $name),)*
                }
            }

            /// Returns the level at which it is logged.
            pub const fn level(self) -> Level {
                match self {
                    $(EventKind::$kind => Level::$level,)*
                }
            }

            /// Returns what has happened.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(EventKind::$kind => $meaning,)*
                }
            }
        }
    };
}

events! {
    GeneratorOpened Info "generator_opened"
        "a generator was opened; the message has its store or holder, scope and main options";
    GeneratorClosed Info "generator_closed"
        "a generator was closed; the message has the ids that went back and the highest id leased, or the free worker id";
    RefillFailed Warn "refill_failed"
        "ids of a tag could not be leased; callers still get buffered ids, and leafmint tries again";
    RefillRecovered Info "refill_recovered" "ids of that tag can be leased again";
    StoreRegressed Error "store_regressed"
        "the store leased a range below an earlier one; the message has the command that raises the tag";
    SeriesFilling Warn "series_filling"
        "the format of a series has few numbers left, or they end before its period does at the current pace";
    GiveBackFailed Warn "give_back_failed" "unused ids could not be given back at the close, and are lost";
    LeaseTaken Info "lease_taken" "a worker id was taken; the message says until when it is reserved";
    LeaseFailed Warn "lease_failed" "no worker id could be taken";
    LeaseLost Warn "lease_lost"
        "another process owns the worker id, or its lock file is gone; the generator takes another id";
    LeaseExtensionFailed Warn "lease_extension_failed"
        "no more time could be reserved; the message says until when there are ids";
    LeaseExtensionRecovered Info "lease_extension_recovered" "time is reserved again";
    ReleaseFailed Warn "release_failed"
        "a worker id could not be given back at the close; it is free when its reservation ends";
    ClockSteppedBack Warn "clock_stepped_back" "the wall clock was set back by a second or more";
    ClockSteppedForward Warn "clock_stepped_forward" "the wall clock was set forward by a second or more";
    ClockCounterGivenUp Warn "clock_counter_given_up"
        "the processor's counter disagreed with the system's clock, as after a virtual machine was moved; ids now \
         use the system's clock";
    TimeBitsEnd Warn "time_bits_end" "the layout's time bits run out in less than a year";
    StateFileDamaged Warn "state_file_damaged"
        "a state file cannot be read; the worker id waits, or starts above every id that it may have minted";
    SessionUnencrypted Warn "session_unencrypted"
        "a session with another host is not encrypted: the network can read it and take the password";
    TicketServerAway Warn "ticket_server_away"
        "a ticket server cannot be used, or not for this tag; the others lease ids, and leafmint probes this one";
    TicketServerBack Info "ticket_server_back" "that ticket server is used again";
    TicketsSkipped Info "tickets_skipped"
        "a ticket server was behind another one, or answered too late: these ids will never be minted";
    EventsDropped Warn "events_dropped" "more events occurred than could be logged in time";
}
