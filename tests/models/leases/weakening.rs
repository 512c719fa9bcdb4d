//! What can be taken out of the protocols, one piece at a time.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weakening {
    /// The protocol as it is.
    None,
    /// Ids may be stamped past the horizon, which is moved after them.
    ReportBehind,
    /// An extend that was not answered counts as granted.
    UnansweredExtendCounts,
    /// A claim that was not answered counts as won.
    UnansweredClaimCounts,
    /// An extend raises any row whose horizon is lower.
    ExtendWithoutToken,
    /// An extend compares the known horizon, but no token.
    ExtendComparesHorizonOnly,
    /// An extend compares the token, but neither the known horizon nor the new one.
    ExtendWithoutHorizon,
    /// An extend compares the token, and that it raises the horizon, but not the known one.
    ExtendOnlyRaises,
    /// A lease begins at the present time instead of at the stored horizon.
    FloorIsNow,
    /// Every acquire of a host writes the same token.
    TokenReused,
    /// A release clears whatever token the row shows.
    ReleaseWithoutToken,
    /// A release compares the token alone.
    ReleaseWithoutHorizon,
    /// The row is released while ids can still be drawn.
    ReleaseBeforeShut,
    /// A worker id that an operator frees begins at 0 again.
    EvictionLowersHorizon,
    /// A state file is believed whatever the row shows.
    FileNotCompared,
    /// A worker id is taken on a host where another process holds its lock.
    WithoutLock,
    /// In ZooKeeper, a write does not name the version that was read.
    VersionNotCompared,
    /// A claim forgets that a release of the lease before may be on its way.
    ClaimForgetsRelease,
    /// In a directory, the state file is not locked, only the lock file is.
    StateNotLocked,
    /// The state is written to whatever file the path names.
    WriteByPath,
    /// The paths are not looked at after a write.
    NotCheckedAfter,
    /// The paths are not looked at before a write.
    NotCheckedBefore,
    /// The state is read before the files are locked.
    ReadBeforeLock,
    /// A state file that is gone counts as one that never was.
    MissingIsFresh,
    /// A directory is not distinguished from its copy.
    CopyBelieved,
    /// A process whose directory was moved makes another one in its place, and takes one that is there.
    MovedIsMadeAgain,
    /// Ids may use a horizon before it is written.
    GrantedBeforeWritten,
    /// A give-back that was not answered is sent again.
    GiveBackRetried,
    /// A give-back does not compare `max_id` with the end of our lease.
    GiveBackUncompared,
    /// A lease that was not answered counts, at the end that was expected.
    UnansweredLeaseCounts,
    /// Numbers are given back while they can still be drawn.
    GiveBackBeforeShut,
    /// A worker id is taken for the past that a process has held before.
    PastClaimsWhatWasHeld,
    /// The horizon of a worker id for the past is not at the end of time.
    PastHorizonPasses,
    /// The counter of a block is written without comparing it with what was read.
    BlockNotCompared,
    /// A lease does not demand the mark of the generation.
    MarkNotCompared,
    /// The mark of the counters is the same in every generation.
    MarkAlwaysTheSame,
    /// Any worker id is taken for the past.
    PastTakesAll,
    /// A lease of a block that was not answered counts.
    UnansweredBlockCounts,
    /// A filler counts anew whenever it fills in another tick.
    CounterOfTheLastTick,
    /// In a directory, a start does not look for the file of a worker id for the past.
    PastFileNotSeen,
    /// In a directory, a worker id is taken for the past although its lock file was there before.
    PastLockNotFresh,
    /// In a directory, the mark of the file is not compared with the generation that the state file names.
    PastMarkNotCompared,
    /// In a directory, the file of a worker id for the past is not locked.
    PastNotLocked,
    /// In a directory, the path of that file is not looked at after a write.
    PastNotCheckedAfter,
}
