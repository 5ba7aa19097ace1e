//! The commands that README.md shows: that they exist, and that they run.

use std::path::Path;

use crate::Outcome;
use crate::run::Program;

/// One line of a shell block, split into words.
type Line<'a> = Vec<&'a str>;

fn text(root: &Path) -> Outcome<String> {
    Ok(std::fs::read_to_string(root.join("README.md")).map_err(|error| format!("README.md: {error}"))?)
}

/// The command lines in the shell blocks of a Markdown text.
fn commands(markdown: &str) -> Vec<Line<'_>> {
    let mut shell = false;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        if let Some(language) = line.strip_prefix("```") {
            shell = !shell && matches!(language, "sh" | "console");
        } else if shell {
            let command = line.strip_prefix("$ ").unwrap_or(line);
            let words = command.split_whitespace().take_while(|word| !word.starts_with('#'));
            lines.extend(Some(words.collect::<Vec<_>>()).filter(|words| !words.is_empty()));
        }
    }
    lines
}

/// Commands of the README that name a task, a crate or a file that does not exist.
pub(crate) fn check(root: &Path, tasks: &[String]) -> Outcome<Vec<String>> {
    Ok(dead_ends(&text(root)?, tasks, |path| root.join(path).exists()))
}

fn dead_ends(markdown: &str, tasks: &[String], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = commands(markdown);
    let mut problems = Vec::new();
    if !lines.iter().any(|line| line == &["cargo", "xtask", "ci"]) {
        problems.push("README.md does not show `cargo xtask ci`".to_owned());
    }
    for line in &lines {
        let shown = line.join(" ");
        if let ["cargo", "xtask", task, ..] = line.as_slice()
            && !tasks.iter().any(|known| known == task)
        {
            problems.push(format!("README.md: `{shown}`: there is no task {task}"));
        }
        if let Some(package) = package(line)
            && !exists(&format!("crates/{package}/Cargo.toml"))
        {
            problems.push(format!("README.md: `{shown}`: there is no crate {package}"));
        }
        if is_run(line) {
            for file in line.iter().filter(|word| word.contains('/') && !exists(word)) {
                problems.push(format!("README.md: `{shown}`: there is no file {file}"));
            }
        }
    }
    problems
}

fn package<'a>(line: &[&'a str]) -> Option<&'a str> {
    let at = line.iter().position(|word| matches!(*word, "-p" | "--package"))?;
    line.get(at + 1).copied()
}

fn is_run(line: &[&str]) -> bool {
    matches!(line, ["cargo", "run", ..])
}

/// Runs every `cargo run` of the README as it stands there.
///
/// The binary ends with 0, or with 1 where it shows what is wrong with the file; anything else is a broken promise.
pub(crate) fn run(root: &Path) -> Outcome {
    let text = text(root)?;
    for line in commands(&text).iter().filter(|line| is_run(line)) {
        let program = Program::cargo(root).args(line.iter().skip(1));
        println!("$ {}", program.line());
        let output = program.output()?;
        let report = String::from_utf8_lossy(&output.stderr);
        print!("{report}");
        println!("({} bytes on stdout, {})", output.stdout.len(), output.status);
        // cargo's own failure is 101; a broken build must not pass for a finding.
        if !matches!(output.status.code(), Some(0 | 1)) || output.stdout.is_empty() && report.is_empty() {
            return Err(format!("README.md: `{}` ended with {}", line.join(" "), output.status).into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const README: &str = "# a\n```sh\ncargo run -q -p a-cli -- check testdata/a.jsonl  # finds\n\n$ cargo xtask ci\n```\n\
                          cargo xtask nothing\n```rust\ncargo xtask nothing\n```\n";

    fn problems(readme: &str) -> Vec<String> {
        let there = ["crates/a-cli/Cargo.toml", "testdata/a.jsonl"];
        dead_ends(readme, &["ci".to_owned()], |path| there.contains(&path))
    }

    #[test]
    fn commands_stand_in_shell_blocks() {
        assert_eq!(
            commands(README),
            [
                vec!["cargo", "run", "-q", "-p", "a-cli", "--", "check", "testdata/a.jsonl"],
                vec!["cargo", "xtask", "ci"]
            ]
        );
    }

    #[test]
    fn what_exists_is_no_problem() {
        assert_eq!(problems(README), [""; 0]);
    }

    #[test]
    fn what_does_not_exist_is_named() {
        for (was, is, problem) in [
            ("xtask ci", "xtask cx", "there is no task cx"),
            ("a-cli", "b-cli", "there is no crate b-cli"),
            ("a.jsonl", "b.jsonl", "there is no file testdata/b.jsonl"),
        ] {
            let found = problems(&README.replace(was, is));
            assert!(found.iter().any(|found| found.ends_with(problem)), "{was}: {found:?}");
        }
        assert_eq!(problems("# a\n"), ["README.md does not show `cargo xtask ci`"]);
    }
}
