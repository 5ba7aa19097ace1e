//! `cargo xtask bench`: how fast, and beside what.

use std::path::Path;

use crate::Outcome;
use crate::run::Program;

/// The programs that print ratios: sessions beside serde's derive, streams beside other crates and the SDKs.
const RATIOS: [&str; 2] = ["ratios", "streams"];

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run each bench once with small input, unoptimised: shows that they work, not how fast
    #[arg(long)]
    smoke: bool,
    /// Only the ratios against the yardsticks, without criterion's statistics
    #[arg(long, conflicts_with = "smoke")]
    ratios: bool,
    /// Only criterion benches whose name holds this
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
}

/// Runs criterion's benches, then the ratios, both optimised.
pub(crate) fn run(root: &Path, options: &Options) -> Outcome {
    if options.smoke {
        return smoke(root);
    }
    if !options.ratios {
        let bench = Program::cargo(root).words("bench --locked -p antiphon-benches");
        let filter = options.filter.iter().flat_map(|filter| ["--", filter]);
        bench.args(filter).show()?;
    }
    for program in RATIOS {
        Program::cargo(root)
            .words("run --quiet --release --locked -p antiphon-benches --bin")
            .args([program])
            .show()?;
    }
    Ok(())
}

/// The same programs once, with little input. A bench that nobody runs rots.
pub(crate) fn smoke(root: &Path) -> Outcome {
    let cargo = || Program::cargo(root).env("ANTIPHON_BENCH_MESSAGES", "200");
    cargo().words("test --locked -p antiphon-benches --benches").show()?;
    for program in RATIOS {
        cargo().words("run --quiet --locked -p antiphon-benches --bin").args([program]).show()?;
    }
    Ok(())
}
