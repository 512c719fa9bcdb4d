//! Commands of leafmint for a shell.

use super::is_shown_as_it_is;
use std::fmt;

/// A command of leafmint for a POSIX shell.
#[derive(Clone, Debug)]
pub struct ShellCommand {
    words: &'static str,
    operands: Vec<String>,
    options: Vec<String>,
}

impl ShellCommand {
    /// Begins a command with its fixed words, such as `tags raise`.
    pub fn leafmint(words: &'static str) -> Self {
        Self { words, operands: Vec::new(), options: Vec::new() }
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
    pub fn value(mut self, option: &'static str, name: &str) -> Self {
        // A word of its own that begins with a hyphen would be an option.
        let separator = if name.starts_with('-') { '=' } else { ' ' };
        self.options.push(format!("{option}{separator}{}", word(name)));
        self
    }

    /// Adds an option with a word that the reader replaces. The command refuses the word itself: it is no number.
    pub fn blank(mut self, option: &'static str, word: &'static str) -> Self {
        self.options.push(format!("{option} {word}"));
        self
    }
}

impl fmt::Display for ShellCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands = self.operands.iter().map(|operand| word(operand));
        let options = self.options.iter().cloned();
        // What begins with a hyphen is an option unless it is behind --.
        let words: Vec<String> = match self.operands.iter().any(|operand| operand.starts_with('-')) {
            true => options.chain(["--".to_owned()]).chain(operands).collect(),
            false => operands.chain(options).collect(),
        };
        write!(f, "leafmint {}", self.words)?;
        words.iter().try_for_each(|word| write!(f, " {word}"))
    }
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
    fn usual_names_stay_as_they_are() {
        for name in ["orders", "shop.orders", "invoice/shop-7@2026"] {
            assert_eq!(word(name), name);
        }
        assert_eq!(word("订单"), "'订单'");
    }
}
