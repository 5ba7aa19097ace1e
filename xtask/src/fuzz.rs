//! `cargo xtask fuzz`: hours of random input for the targets in `fuzz/`.
//!
//! The corpora and every crash ever found are replayed by `cargo test` on stable; this finds new ones.

use std::path::Path;

use crate::Outcome;
use crate::run::Program;

/// What to fuzz and how long.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Targets to run, one after the other; all of them if none is named
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Only print the targets there are
    #[arg(long)]
    list: bool,
}

/// Runs the targets; libFuzzer files what crashes under `fuzz/artifacts/` and says how to replay it.
pub(crate) fn run(root: &Path, options: &Options) -> Outcome {
    let known = targets(root)?;
    if options.list {
        println!("{}", known.join("\n"));
        return Ok(());
    }
    if let Some(unknown) = options.targets.iter().find(|target| !known.contains(target)) {
        return Err(format!("there is no fuzz target {unknown}; there are: {}", known.join(", ")).into());
    }
    let nightly = || Program::new("rustup", root).words("run nightly cargo fuzz");
    if let Err(error) = nightly().args(["--version"]).stdout() {
        return Err(format!(
            "{error}\nfuzzing needs the nightly toolchain and cargo-fuzz:\n  rustup toolchain install nightly\n  \
             cargo install cargo-fuzz"
        )
        .into());
    }
    for target in if options.targets.is_empty() { &known } else { &options.targets } {
        let limit = format!("-max_total_time={}", options.seconds);
        nightly().args(["run", target, "--", &limit]).show()?;
    }
    Ok(())
}

/// The targets are the files in `fuzz/fuzz_targets`.
fn targets(root: &Path) -> Outcome<Vec<String>> {
    let folder = root.join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("fuzz/fuzz_targets: {error}"))?;
    let mut targets = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            targets.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        }
    }
    targets.sort();
    Ok(targets)
}
