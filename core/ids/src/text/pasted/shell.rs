//! Commands of leafmint for a shell.

use super::is_shown_as_it_is;
use super::reader::{Reader, current};
use std::fmt;

/// The words of the command that creates the tables.
const INIT: &str = "init";

/// A command of leafmint for a POSIX shell. It is written as its reader types it: see [`read_by`](super::read_by).
#[derive(Clone, Debug)]
pub struct ShellCommand {
    words: String,
    operands: Vec<String>,
    options: Vec<String>,
}

impl ShellCommand {
    /// Begins a command with its fixed words, such as `tags raise`.
    pub fn leafmint(words: &str) -> Self {
        Self { words: words.to_owned(), operands: Vec::new(), options: Vec::new() }
    }

    /// Begins the command that creates the tables.
    pub fn init() -> Self {
        Self::leafmint(INIT)
    }

    /// Adds a name.
    pub fn operand(mut self, name: &str) -> Self {
        self.operands.push(name.to_owned());
        self
    }

    /// Adds an option with a number.
    pub fn number(mut self, option: &'static str, number: u64) -> Self {
        self.options.push(format!("{option} {number}"));
        self
    }

    /// Adds an option with a name.
    pub fn value(mut self, option: &str, name: &str) -> Self {
        self.options.push(with_value(option, name));
        self
    }

    /// Adds an option without a value.
    pub fn flag(mut self, option: &str) -> Self {
        self.options.push(option.to_owned());
        self
    }

    /// Adds an option with a word that the reader replaces. The command refuses the word itself: it is no number.
    pub fn blank(mut self, option: &'static str, word: &'static str) -> Self {
        self.options.push(format!("{option} {word}"));
        self
    }

    /// Writes the command as a reader types it.
    fn typed_by(&self, reader: &Reader) -> String {
        if let Some(init) = reader.init.as_ref().filter(|_| self.words == INIT) {
            return init.clone();
        }
        let program = [reader.program.as_deref().unwrap_or("leafmint"), &self.words].map(str::to_owned);
        let operands = self.operands.iter().map(|operand| word(operand));
        let store = reader.store.iter().map(|(option, value)| with_value(option, value));
        let options = self.options.iter().cloned().chain(store);
        // What begins with a hyphen is an option unless it is behind --.
        let words: Vec<String> = match self.operands.iter().any(|operand| operand.starts_with('-')) {
            true => program.into_iter().chain(options).chain(["--".to_owned()]).chain(operands).collect(),
            false => program.into_iter().chain(operands).chain(options).collect(),
        };
        words.join(" ")
    }
}

impl fmt::Display for ShellCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.typed_by(&current()))
    }
}

/// Writes an option with its value.
fn with_value(option: &str, value: &str) -> String {
    // A word of its own that begins with a hyphen would be an option.
    let separator = if value.starts_with('-') { '=' } else { ' ' };
    format!("{option}{separator}{}", word(value))
}

/// Quotes a word unless it needs no quotes.
///
/// Other characters than those that a message shows as they are become the escapes of `$'…'`, which POSIX has since
/// 2024 and bash, ksh, zsh and busybox had before. Another shell takes them for another name, and runs nothing.
fn word(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_-./@:".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    if text.chars().all(is_shown_as_it_is) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let escaped: String = text.chars().map(escape).collect();
    format!("$'{escaped}'")
}

/// Writes a character inside `$'…'`. An interactive shell looks for `!` before it looks at the escapes.
fn escape(character: char) -> String {
    if is_shown_as_it_is(character) && !['\'', '\\', '!'].contains(&character) {
        return character.to_string();
    }
    let mut bytes = [0; 4];
    character.encode_utf8(&mut bytes).bytes().map(|byte| format!("\\{byte:03o}")).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::process::Command;

    /// Names that a shell or a database would read as something else than a name.
    pub(crate) const HOSTILE: [&str; 18] = [
        "",
        "orders",
        "it's",
        r"\'or(1)#",
        r"a\",
        "a\"b`c`",
        "$(touch pwned)",
        "`touch pwned`",
        "a; touch pwned; #",
        "a && touch pwned",
        "-n",
        "--help",
        "a\nb\n",
        "\ttab\r\u{1b}[2J\u{7f}",
        "%s {} ~ * ? ! !! $HOME",
        "\u{202e}or\u{2066}d\u{200b}er\u{3000}",
        "订单🙂é",
        "a\u{a0}!\u{1}'",
    ];

    #[test]
    fn bash_reads_each_name_as_one_word_and_runs_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for name in HOSTILE {
            let command = ShellCommand::leafmint("tags raise").operand(name).number("--above-id", 7).to_string();
            assert!(command.chars().all(is_shown_as_it_is), "{command}");
            let script = format!("leafmint() {{ printf '%s\\0' \"$@\"; }}; {command}");
            let ran = Command::new("bash").args(["-c", &script]).current_dir(&folder).output().unwrap();
            let words = match name.starts_with('-') {
                true => ["tags", "raise", "--above-id", "7", "--", name].join("\0"),
                false => ["tags", "raise", name, "--above-id", "7"].join("\0"),
            };
            assert_eq!(String::from_utf8_lossy(&ran.stdout), words + "\0", "{command}");
            assert!(ran.stderr.is_empty() && folder.path().read_dir().unwrap().next().is_none(), "{command}");
            let command = ShellCommand::leafmint("check").value("--tag", name).to_string();
            let script = format!("leafmint() {{ printf '%s\\0' \"$@\"; }}; {command}");
            let ran = Command::new("bash").args(["-c", &script]).current_dir(&folder).output().unwrap();
            let joined = if name.starts_with('-') { "=" } else { "\0" };
            assert_eq!(String::from_utf8_lossy(&ran.stdout), format!("check\0--tag{joined}{name}\0"), "{command}");
        }
    }

    #[test]
    fn a_command_names_the_program_and_the_store_of_its_reader() {
        let store = vec![("--url".to_owned(), "sqlite:///my ids.db".to_owned())];
        let program = Some("manage.py leafmint".to_owned());
        let raise = ShellCommand::leafmint("tags raise").operand("orders").number("--above-id", 7);
        let typed = raise.typed_by(&Reader { program: program.clone(), store: store.clone(), init: None });
        assert_eq!(typed, "manage.py leafmint tags raise orders --above-id 7 --url 'sqlite:///my ids.db'");
        let behind = ShellCommand::leafmint("tags raise").operand("-n").flag("--yes");
        let typed = behind.typed_by(&Reader { store: store.clone(), ..Reader::default() });
        assert_eq!(typed, "leafmint tags raise --yes --url 'sqlite:///my ids.db' -- -n");
        assert_eq!(ShellCommand::init().typed_by(&Reader::default()), "leafmint init");
        let init = Some("manage.py migrate".to_owned());
        assert_eq!(ShellCommand::init().typed_by(&Reader { program, store, init }), "manage.py migrate");
    }

    #[test]
    fn usual_names_stay_as_they_are() {
        for name in ["orders", "shop.orders", "invoice/shop-7@2026"] {
            assert_eq!(word(name), name);
        }
        assert_eq!(word("订单"), "'订单'");
    }
}
