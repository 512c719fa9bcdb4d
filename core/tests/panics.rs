//! What a panic prints in a process with a binding.

use leafmint::binding::panics::{message_of, print_each_line_once};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

/// Set in the process that panics.
const VARIABLE: &str = "LEAFMINT_TEST_PANICS";

/// What a server might send to forge a line of a log.
const HOSTILE: &str = "seven\nINFO all is well\u{1b}[2J\u{202e}";

#[test]
fn panics_of_one_line_of_code_are_printed_once_in_one_line_and_each_has_its_message() {
    if std::env::var_os(VARIABLE).is_some() {
        return panic_ten_times();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "panics::panics_of_one_line_of_code_are_printed_once_in_one_line_and_each_has_its_message",
        "--nocapture",
    ]);
    let ended = command.env(VARIABLE, "1").env_remove("RUST_BACKTRACE").output().unwrap();
    let printed = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.success(), "{printed}");
    assert_eq!(printed.matches("panicked at ").count(), 1, "{printed}");
    let line = printed.lines().find(|line| line.contains("panicked at ")).unwrap();
    assert!(line.ends_with(r"seven\nINFO all is well\u{1b}[2J\u{202e}, number 0"), "{line}");
}

fn panic_ten_times() {
    print_each_line_once();
    for number in 0..10 {
        let panic = catch_unwind(AssertUnwindSafe(|| panic!("{HOSTILE}, number {number}"))).unwrap_err();
        let message = format!(
            r"leafmint panicked, which is a bug in it: seven\nINFO all is well\u{{1b}}[2J\u{{202e}}, number {number}"
        );
        assert_eq!(message_of(panic), message);
    }
}
