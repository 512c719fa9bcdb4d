//! Runs the checker and prints what it found.

use stateright::{Checker, Model, Path};
use std::fmt::Debug;
use std::hash::Hash;
use std::time::Instant;

/// Searches every reachable state and asserts that all properties hold in all of them.
pub fn assert_sound<M>(name: &str, model: M)
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync + 'static,
    M::Action: Clone + Debug + PartialEq + Send + Sync + 'static,
{
    let began = Instant::now();
    let checker = model.checker().spawn_bfs().join();
    if let Some((property, path)) = checker.discoveries().into_iter().next() {
        panic!("{name}: {property} does not hold:\n{}", trace(path));
    }
    assert!(checker.is_done(), "{name}: the search ended early");
    println!("{name}: {} states, {:.1?}, no counter-example", checker.unique_state_count(), began.elapsed());
}

/// Searches until a state is found in which the property does not hold, and asserts that there is one.
pub fn assert_counter_example<M>(name: &str, model: M, property: &'static str)
where
    M: Model + Send + Sync + 'static,
    M::State: Clone + Debug + Hash + PartialEq + Send + Sync + 'static,
    M::Action: Clone + Debug + PartialEq + Send + Sync + 'static,
{
    let began = Instant::now();
    let checker = model.checker().spawn_bfs().join();
    let path = checker.discovery(property);
    let path = path.unwrap_or_else(|| panic!("{name}: no counter-example in {} states", checker.unique_state_count()));
    println!(
        "{name}: a counter-example after {} states, {:.1?}:\n{}",
        checker.unique_state_count(),
        began.elapsed(),
        trace(path)
    );
}

fn trace<S: Debug, A: Debug>(path: Path<S, A>) -> String {
    let mut text = String::new();
    for (number, (state, action)) in path.into_vec().into_iter().enumerate() {
        text += &match action {
            Some(action) => format!("{:3}. {state:?}\n     -> {action:?}\n", number + 1),
            None => format!("{:3}. {state:?}\n", number + 1),
        };
    }
    text
}
