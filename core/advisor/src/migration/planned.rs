//! What leafmint is to use for snowflakes.

use super::leaf_tree::{Kept, LeafNode, LeafTree};
use leafmint::config::{HolderConfig, OptionValue, SnowflakeConfig, WorkersOption};
use leafmint_engine::holder::Workers;
use leafmint_engine::store::Location;
use leafmint_ids::error::Result;
use leafmint_ids::layout::Layout;

/// What leafmint is to use for snowflakes, in all its processes.
#[derive(Clone, Debug)]
pub struct Planned {
    pub(super) layout: Layout,
    pub(super) workers: Workers,
    /// The option that chooses them.
    option: WorkersOption,
    /// Whose worker ids it takes part in: they are then no others'.
    shares: Shared,
}

/// Which worker ids of Leaf's leafmint is to take part in.
#[derive(Clone, Debug)]
enum Shared {
    Nothing,
    /// Those of `leaf_workerid_alloc` in a database.
    Table(Location),
    /// Those of Leaf's own tree.
    Forever(Location),
}

impl Planned {
    /// Reads it from the URL and the options of a snowflake generator, without connecting. Raises `invalid_config`.
    ///
    /// Ordinals and `worker_map` mean the worker ids of all processes, so this host needs neither an ordinal nor an
    /// endpoint in the map.
    pub fn read(url: &str, options: impl IntoIterator<Item = (String, OptionValue)>) -> Result<Self> {
        let config = SnowflakeConfig::of_fleet(url, options)?;
        let workers = config.holder.workers().clone();
        // Leaf and its forks assign worker ids in these alone.
        let shares = match config.holder {
            HolderConfig::MySql(servers, rows) if rows.is_assigned => Shared::Table(servers.location("mysql")),
            HolderConfig::Postgres(servers, rows) if rows.is_assigned => Shared::Table(servers.location("postgresql")),
            HolderConfig::ZooKeeper(servers, rows) if rows.is_assigned => {
                Shared::Forever(servers.location("zookeeper"))
            }
            _ => Shared::Nothing,
        };
        Ok(Self { layout: config.settings.layout, workers, option: config.workers_option, shares })
    }

    /// Returns whether a node is one of those that it takes part in.
    pub(super) fn takes_part(&self, node: &LeafNode, tree: &LeafTree) -> bool {
        let (kept, own, leafs) = match &self.shares {
            Shared::Nothing => return false,
            Shared::Table(own) => (Kept::Table, own, &tree.table),
            Shared::Forever(own) => (Kept::Forever, own, &tree.location),
        };
        node.kept == kept && leafs.as_ref().is_some_and(|leafs| leafs.is_same(own))
    }

    /// Says what was compared if it takes part in numbers that are kept elsewhere than Leaf's.
    pub(super) fn compared(&self, tree: &LeafTree) -> Option<String> {
        let (own, leafs) = match &self.shares {
            Shared::Nothing => return None,
            Shared::Table(own) => (own, tree.table.as_ref()?),
            Shared::Forever(own) => (own, tree.location.as_ref()?),
        };
        if leafs.is_same(own) {
            return None;
        }
        let unless = match leafs.has_same_path(own) {
            true => "; if these are the same servers by other names, write them as for Leaf",
            false => "",
        };
        Some(format!("{own} is not Leaf's {leafs}, and each counts by itself{unless}"))
    }

    /// Says how to choose worker ids of a range.
    pub(super) fn advice(&self, first: i64, last: i64) -> String {
        match self.option {
            WorkersOption::Workers => format!("set workers={first}-{last}"),
            WorkersOption::Ordinal => format!("every ordinal counts, so set ordinal_offset={first}"),
            WorkersOption::Url => format!("give each process one of fixed:{first} to fixed:{last}"),
            WorkersOption::Map => format!("write worker ids from {first} to {last} in worker_map"),
        }
    }

    #[cfg(test)]
    pub(super) fn own_location(&self) -> Option<Location> {
        match &self.shares {
            Shared::Nothing => None,
            Shared::Table(own) | Shared::Forever(own) => Some(own.clone()),
        }
    }
}
