//! House rules that can be read off the text of the files.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::{Outcome, readme};

#[cfg(test)]
mod tests;

/// Longer than this, a source file holds two ideas.
const MAX_LINES: usize = 600;

/// Marks of unfinished work, and of a look inside. Spelled in two halves, as all needles here, so that this file does
/// not hold them.
const UNFINISHED: &[&str] = &[concat!("todo", "!("), concat!("unimplemented", "!("), concat!("dbg", "!(")];

/// Paths that exist on one machine only.
const MACHINE_PATHS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

/// Hosts that packages come from. Which one a build uses is its machine's business.
const REGISTRIES: &[&str] =
    &[concat!("crates", ".io/"), concat!("pypi", ".org"), concat!("registry", ".npmjs"), concat!("deb.debian", ".org")];

/// What every manifest of the workspace takes from the workspace.
const INHERITED: &[&str] = &["version", "edition", "rust-version", "license"];

/// Every breach of the house rules in the workspace at `root`.
pub(crate) fn check(root: &Path) -> Outcome<Vec<String>> {
    let mut problems = Vec::new();
    let mut paths = Vec::new();
    walk(root, Path::new(""), &mut paths)?;
    let mut cases = BTreeSet::new();
    for path in &paths {
        let bytes = std::fs::read(root.join(path)).map_err(|error| format!("{}: {error}", path.display()))?;
        // A picture or a fuzzer's find has no lines to judge.
        if let Ok(text) = std::str::from_utf8(&bytes) {
            problems.extend(file(path, text));
        }
        if path.parent() == Some(Path::new("testdata/cases")) {
            cases.extend(path.file_name().and_then(OsStr::to_str).map(str::to_owned));
        }
    }
    problems.extend(lonely_expectations(&cases));
    let read = |name: &str| std::fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"));
    problems.extend(stale_rust_version(&read("Cargo.toml")?, &read("README.md")?));
    problems.extend(readme::check(root, &crate::tasks())?);
    Ok(problems)
}

/// The files under `root/folder`, as paths from `root`, in a stable order. What a build or git puts there is left out.
fn walk(root: &Path, folder: &Path, into: &mut Vec<PathBuf>) -> Outcome {
    let entries = std::fs::read_dir(root.join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let path = folder.join(&name);
        let kind = entry.file_type()?;
        let built = name.to_str().is_some_and(|name| name == ".git" || name == "target" || name.starts_with("target-"));
        if kind.is_dir() && !built {
            walk(root, &path, into)?;
        } else if kind.is_file() {
            into.push(path);
        }
    }
    Ok(())
}

/// What is wrong with one text file.
fn file(path: &Path, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if is_source(path) {
        problems.extend(too_long(path, text));
        problems.extend(holds(path, text, UNFINISHED, "unfinished"));
    }
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    if name != "Cargo.lock" {
        problems.extend(holds(path, text, MACHINE_PATHS, "a machine's own path"));
        if path.extension() != Some(OsStr::new("md")) {
            problems.extend(holds(path, text, REGISTRIES, "a registry's host"));
        }
    }
    if name == "Cargo.toml" && is_member(path) {
        problems.extend(own_fields(path, text));
    }
    if path.starts_with("crates/antiphon/src") && path.extension() == Some(OsStr::new("rs")) {
        problems.extend(facade_code(path, text));
    }
    problems
}

/// Rust that ships or that builds what ships; tests may be as long as their cases.
fn is_source(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(OsStr::to_str).collect();
    let in_src = matches!(parts.as_slice(), ["crates", _, "src", ..] | ["xtask" | "benches", "src", ..]);
    in_src && path.extension() == Some(OsStr::new("rs"))
}

fn is_member(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(OsStr::to_str).collect();
    matches!(parts.as_slice(), ["crates", _, "Cargo.toml"] | ["xtask" | "benches", "Cargo.toml"])
}

fn too_long(path: &Path, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (lines > MAX_LINES).then(|| format!("{}: {lines} lines; at most {MAX_LINES}, one idea a file", path.display()))
}

fn holds(path: &Path, text: &str, needles: &[&str], what: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let found = needles.iter().filter(|needle| line.contains(**needle));
        problems.extend(found.map(|needle| format!("{}:{}: {what}: `{needle}`", path.display(), number + 1)));
    }
    problems
}

/// Fields and lints that a member's manifest does not inherit.
fn own_fields(path: &Path, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for field in INHERITED {
        if !text.lines().any(|line| line.trim_end() == format!("{field}.workspace = true")) {
            problems.push(format!("{}: `{field}.workspace = true` is missing", path.display()));
        }
    }
    let mut after_lints = text.lines().skip_while(|line| line.trim_end() != "[lints]").skip(1);
    if after_lints.next().map(str::trim_end) != Some("workspace = true") {
        problems.push(format!("{}: `[lints]` with `workspace = true` is missing", path.display()));
    }
    problems
}

/// The README names the oldest Rust that the workspace's manifest allows.
fn stale_rust_version(manifest: &str, readme: &str) -> Option<String> {
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""))?.trim_end_matches('"');
    let named = readme.contains(&format!("Rust {version}."));
    (!named).then(|| format!("README.md does not say `Rust {version}.`, which is `rust-version` in Cargo.toml"))
}

/// The facade holds re-exports and the guide. A function in it would be logic that nobody finds.
fn facade_code(path: &Path, text: &str) -> Vec<String> {
    let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
    let functions = code.filter(|(_, line)| line.split_whitespace().any(|word| word == "fn"));
    functions.map(|(number, _)| format!("{}:{}: a function in the facade", path.display(), number + 1)).collect()
}

/// Expectations in `testdata/cases` that have no input beside them: `NAME.expect.json` goes with `NAME.*`.
fn lonely_expectations(files: &BTreeSet<String>) -> Vec<String> {
    let mut problems = Vec::new();
    for expectation in files {
        let Some(name) = expectation.strip_suffix(".expect.json") else { continue };
        let is_input = |file: &&String| {
            let rest = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
            rest.is_some_and(|extension| !extension.contains('.'))
        };
        if files.iter().find(is_input).is_none() {
            problems.push(format!("testdata/cases/{expectation}: there is no {name}.json, .jsonl or .sse beside it"));
        }
    }
    problems
}
