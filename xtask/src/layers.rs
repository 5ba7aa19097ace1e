//! The layering check: who may depend on whom.
//!
//! The tables here are the design's own: a crate names only crates in rows below its own, a core crate has exactly the
//! dependencies that the design grants it, and no core crate has a runtime or an HTTP client anywhere below it. A new
//! crate is unknown until it is written down here and in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use crate::Outcome;
use crate::metadata::{Metadata, Package};

#[cfg(test)]
mod tests;

/// A crate of the workspace: its row in the design's picture, counted from the bottom, and for a core crate what it may
/// depend on, with `?` behind what must stay behind a feature.
struct Place {
    name: &'static str,
    row: u8,
    core: Option<&'static [&'static str]>,
}

const fn core(name: &'static str, row: u8, may_name: &'static [&'static str]) -> Place {
    Place { name, row, core: Some(may_name) }
}

const fn edge(name: &'static str, row: u8) -> Place {
    Place { name, row, core: None }
}

const PLACES: &[Place] = &[
    core("antiphon-model", 0, &["serde", "serde_json", "base64", "infer", "imagesize"]),
    core("antiphon-contract", 1, &["antiphon-model"]),
    core("antiphon-log", 1, &["antiphon-model", "memchr"]),
    // serde and serde_json: the design has its updates serialised and its state saved.
    core("antiphon-stream", 1, &["antiphon-model", "memchr", "serde", "serde_json", "futures-core?"]),
    core("antiphon-tokens", 1, &["antiphon-model"]),
    core("antiphon-transform", 2, &["antiphon-model", "antiphon-contract", "antiphon-tokens", "unicode-segmentation"]),
    core("antiphon-interop", 2, &["antiphon-model", "antiphon-contract", "antiphon-log", "antiphon-stream"]),
    edge("antiphon-store", 2),
    edge("antiphon-store-jsonl", 3),
    edge("antiphon-store-sqlite", 3),
    edge("antiphon-store-postgres", 3),
    edge("antiphon-store-object", 3),
    edge("antiphon-tokens-tiktoken", 3),
    edge("antiphon-tokens-api", 3),
    edge("antiphon-session", 4),
    edge("antiphon", 5),
    edge("antiphon-cli", 6),
    // Not published and named by nobody: these may use everything.
    edge("antiphon-benches", 7),
    edge("xtask", 7),
];

/// What any crate may depend on, since every crate has an error type.
const EVERYWHERE: &[&str] = &["thiserror"];

/// Runtimes and HTTP clients: a core crate must not even have them in its tree.
const RUNTIMES: &[&str] = &[
    "async-io",
    "async-std",
    "attohttpc",
    "curl",
    "h2",
    "hyper",
    "hyper-util",
    "isahc",
    "mio",
    "reqwest",
    "smol",
    "surf",
    "tokio",
    "ureq",
];

/// Features of serde_json that change what every other crate of a user's build gets from it.
pub(crate) const CONTAGIOUS: &[&str] = &["arbitrary_precision", "preserve_order", "float_roundtrip"];

/// Whether a crate belongs to the core: no I/O, no runtime, dependencies as the design names them.
pub(crate) fn is_core(name: &str) -> bool {
    PLACES.iter().any(|place| place.name == name && place.core.is_some())
}

/// Every breach of the layering in the workspace at `root`.
pub(crate) fn check(root: &Path) -> Outcome<Vec<String>> {
    let metadata = Metadata::load(root)?;
    let mut problems = breaches(&metadata);
    let all: BTreeSet<&str> = metadata.members.keys().map(String::as_str).collect();
    let published: BTreeSet<&str> = metadata.crates().map(|(name, _)| name).collect();
    for (document, present) in [("ARCHITECTURE.md", &all), ("README.md", &published)] {
        let text = std::fs::read_to_string(root.join(document)).map_err(|error| format!("{document}: {error}"))?;
        problems.extend(drift(document, &text, present));
    }
    Ok(problems)
}

fn breaches(metadata: &Metadata) -> Vec<String> {
    let places: BTreeMap<&str, &Place> = PLACES.iter().map(|place| (place.name, place)).collect();
    let mut problems = Vec::new();
    for (name, package) in &metadata.members {
        let Some(place) = places.get(name.as_str()) else {
            problems.push(format!("{name} has no row: give it one in xtask/src/layers.rs and in ARCHITECTURE.md"));
            continue;
        };
        problems.extend(rows(place, package, &places));
        problems.extend(contagion(name, package));
        if let Some(may_name) = place.core {
            problems.extend(grants(name, package, may_name));
            problems.extend(runtimes(name, package, metadata));
        }
    }
    problems
}

/// Dependencies on a crate of the same row or of one above.
fn rows(place: &Place, package: &Package, places: &BTreeMap<&str, &Place>) -> Vec<String> {
    let below = |dependency: &&Place| dependency.row < place.row;
    let named = package.dependencies.iter().filter_map(|dependency| places.get(dependency.name.as_str()).copied());
    named
        .filter(|dependency| !below(dependency))
        .map(|dependency| {
            let (name, row) = (place.name, place.row);
            format!(
                "{name} (row {row}) depends on {} (row {}): only rows below its own",
                dependency.name, dependency.row
            )
        })
        .collect()
}

/// Dependencies of a core crate that the design does not name for it.
fn grants(name: &str, package: &Package, may_name: &[&str]) -> Vec<String> {
    let mut problems = Vec::new();
    for dependency in &package.dependencies {
        let dep = dependency.name.as_str();
        let granted = may_name.iter().find(|grant| grant.trim_end_matches('?') == dep);
        match granted {
            None if EVERYWHERE.contains(&dep) => {}
            None => problems.push(format!("{name} depends on {dep}, which the design does not name for it")),
            Some(grant) if grant.ends_with('?') && !dependency.optional => {
                problems.push(format!("{name} depends on {dep} always: it must stay behind a feature"));
            }
            Some(_) => {}
        }
    }
    problems
}

/// Runtimes and HTTP clients in the tree of a core crate, each with the way that leads to it.
fn runtimes(name: &str, package: &Package, metadata: &Metadata) -> Vec<String> {
    let mut problems = Vec::new();
    let mut came_from: BTreeMap<&str, Option<&str>> = BTreeMap::from([(package.id.as_str(), None)]);
    let mut queue = VecDeque::from([package.id.as_str()]);
    while let Some(id) = queue.pop_front() {
        let Some(node) = metadata.tree.get(id) else { continue };
        if RUNTIMES.contains(&node.name.as_str()) {
            problems.push(format!("{name} has {} in its tree: {}", node.name, way(id, &came_from, metadata)));
            continue;
        }
        for need in &node.needs {
            if !came_from.contains_key(need.as_str()) {
                came_from.insert(need, Some(id));
                queue.push_back(need);
            }
        }
    }
    problems
}

fn way(to: &str, came_from: &BTreeMap<&str, Option<&str>>, metadata: &Metadata) -> String {
    let ids = std::iter::successors(Some(to), |id| came_from.get(id).copied().flatten());
    let mut names: Vec<&str> = ids.filter_map(|id| metadata.tree.get(id)).map(|node| node.name.as_str()).collect();
    names.reverse();
    names.join(" -> ")
}

/// Features of serde_json that no crate here may ask for.
fn contagion(name: &str, package: &Package) -> Vec<String> {
    let serde_json = package.dependencies.iter().filter(|dependency| dependency.name == "serde_json");
    serde_json
        .flat_map(|dependency| &dependency.features)
        .filter(|feature| CONTAGIOUS.contains(&feature.as_str()))
        .map(|feature| format!("{name} switches on serde_json's {feature}, which would change every user's build"))
        .collect()
}

/// Where the crate table of a document and the workspace differ.
fn drift(document: &str, text: &str, present: &BTreeSet<&str>) -> Vec<String> {
    let listed: BTreeSet<&str> = text.lines().filter_map(listed_crate).collect();
    let missing = present.difference(&listed).map(|name| format!("{document} does not list {name}"));
    let gone = listed.difference(present).map(|name| format!("{document} lists {name}, which is not there"));
    missing.chain(gone).collect()
}

/// The crate that a row of the table is about: `| `name` | … |`.
fn listed_crate(line: &str) -> Option<&str> {
    line.strip_prefix("| `")?.split('`').next()
}
