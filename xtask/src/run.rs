//! Running other programs, with the command line in every error.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::Outcome;

/// A program with its arguments, run in the workspace's folder.
pub(crate) struct Program {
    command: Command,
}

impl Program {
    /// The cargo that runs this task, so that a toolchain override holds for what it starts.
    pub(crate) fn cargo(root: &Path) -> Self {
        Self::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), root)
    }

    pub(crate) fn new(program: impl AsRef<OsStr>, root: &Path) -> Self {
        let mut command = Command::new(program);
        command.current_dir(root).stdin(Stdio::null());
        Self { command }
    }

    pub(crate) fn args<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(mut self, args: I) -> Self {
        self.command.args(args);
        self
    }

    /// Arguments that stand in one line of text, separated by spaces.
    pub(crate) fn words(self, words: &str) -> Self {
        self.args(words.split_whitespace())
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// The command line as a person would type it, with the variables that were set for it.
    pub(crate) fn line(&self) -> String {
        let mut line = String::new();
        for (name, value) in self.command.get_envs() {
            line.push_str(&name.to_string_lossy());
            line.push('=');
            line.push_str(&quoted(value.unwrap_or_default()));
            line.push(' ');
        }
        let program = Path::new(self.command.get_program());
        line.push_str(&program.file_name().unwrap_or(program.as_os_str()).to_string_lossy());
        for arg in self.command.get_args() {
            line.push(' ');
            line.push_str(&quoted(arg));
        }
        line
    }

    /// Runs it with its output shown as it comes.
    pub(crate) fn show(mut self) -> Outcome {
        let line = self.line();
        println!("$ {line}");
        let status = self.command.status().map_err(|error| format!("cannot start `{line}`: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("`{line}` failed: {status}").into()) }
    }

    /// Runs it and keeps its output, whatever its exit code is.
    pub(crate) fn output(mut self) -> Outcome<Output> {
        let line = self.line();
        Ok(self.command.output().map_err(|error| format!("cannot start `{line}`: {error}"))?)
    }

    /// Runs it and gives what it wrote on stdout; fails with its stderr.
    pub(crate) fn stdout(self) -> Outcome<String> {
        let line = self.line();
        let output = self.output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("`{line}` failed: {}\n{}", output.status, said.trim_end()).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}

fn quoted(arg: &OsStr) -> String {
    let arg = arg.to_string_lossy();
    if arg.is_empty() || arg.contains(char::is_whitespace) { format!("'{arg}'") } else { arg.into_owned() }
}

/// Whether a tool is there. On a CI machine a missing one is a failure; elsewhere the step that needs it is skipped, and
/// says so.
pub(crate) fn has(tool: Program, install: &str) -> Outcome<bool> {
    let line = tool.line();
    if tool.output().is_ok_and(|output| output.status.success()) {
        return Ok(true);
    }
    if is_set(std::env::var_os("CI").as_deref()) {
        return Err(format!("`{line}` does not work; {install}").into());
    }
    println!("skipped: `{line}` does not work; {install}");
    Ok(false)
}

fn is_set(variable: Option<&OsStr>) -> bool {
    variable.is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_can_be_pasted() {
        let program = Program::new("some/where/cargo", Path::new(".")).words("doc  --workspace").args(["a b", ""]);
        assert_eq!(program.env("FLAGS", "-D warnings").line(), "FLAGS='-D warnings' cargo doc --workspace 'a b' ''");
    }

    #[test]
    fn an_error_holds_the_command_line() {
        let error = Program::new("antiphon-no-such-program", Path::new(".")).words("--flag").show().unwrap_err();
        assert!(error.to_string().contains("`antiphon-no-such-program --flag`"), "{error}");
        let error = Program::cargo(Path::new(".")).words("no-such-command").stdout().unwrap_err();
        assert!(error.to_string().contains("no-such-command"), "{error}");
    }

    #[test]
    fn ci_is_set_by_any_word_but_a_no() {
        for (value, set) in
            [(None, false), (Some(""), false), (Some("false"), false), (Some("0"), false), (Some("true"), true)]
        {
            assert_eq!(is_set(value.map(OsStr::new)), set, "{value:?}");
        }
    }
}
