//! Simulated time, and generators that run in it. For tests and for programs that try a fleet out, as `tests/fleet`
//! does; applications do not need it, and it may change in any release.
//!
//! The code that leases, backs off and keeps alive is the code of every generator: only its time and its tasks are
//! given by a [`World`], and its store by the caller.
//!
//! ```
//! use leafmint_simulation::{World, segment_generator};
//! use leafmint::store::MemoryStore;
//! use std::{sync::Arc, time::Duration};
//! let world = World::new();
//! let process = world.process();
//! let ids = segment_generator(Arc::new(MemoryStore::open("simulated")), [], process.clone())?;
//! let order = ids.biz_tag("order")?;
//! assert_eq!(order.try_next_id(), Ok(None), "no time has passed yet");
//! world.run_until(Duration::from_secs(1));
//! assert_eq!(order.try_next_id(), Ok(Some(1)));
//! # Ok::<(), leafmint::Error>(())
//! ```

mod clock;
mod executor;
mod open;
mod process;
mod world;

pub use clock::HostClock;
pub use leafmint_backends::rows::{Network, SimulatedRows};
pub use leafmint_engine::runtime::background::{Timeline, Work};
pub use open::{segment_generator, snowflake_generator, unavailable};
pub use process::Process;
pub use world::World;
