use super::*;
use crate::metadata::{Dependency, Node};

/// A workspace of made-up packages: each with its normal dependencies, a `?` behind an optional one.
fn workspace(packages: &[(&str, &[&str])]) -> Metadata {
    let mut metadata = Metadata::default();
    for (name, needs) in packages {
        let needs_ids = needs.iter().map(|need| need.trim_end_matches('?').to_owned()).collect();
        metadata.tree.insert((*name).to_owned(), Node { name: (*name).to_owned(), needs: needs_ids });
        let dependencies = needs.iter().map(|need| Dependency {
            name: need.trim_end_matches('?').to_owned(),
            optional: need.ends_with('?'),
            features: Vec::new(),
        });
        if places_has(name) || name.starts_with("antiphon") {
            let package = Package {
                id: (*name).to_owned(),
                in_crates: true,
                features: BTreeSet::new(),
                dependencies: dependencies.collect(),
            };
            metadata.members.insert((*name).to_owned(), package);
        }
    }
    metadata
}

fn places_has(name: &str) -> bool {
    PLACES.iter().any(|place| place.name == name)
}

#[test]
fn the_design_itself_passes() {
    let metadata = workspace(&[
        ("antiphon-model", &["serde", "serde_json", "thiserror", "base64", "infer", "imagesize"]),
        ("antiphon-contract", &["antiphon-model"]),
        ("antiphon-log", &["antiphon-model", "memchr"]),
        ("antiphon-stream", &["antiphon-model", "memchr", "futures-core?", "thiserror"]),
        ("antiphon-tokens", &["antiphon-model"]),
        ("antiphon-transform", &["antiphon-model", "antiphon-contract", "antiphon-tokens", "unicode-segmentation"]),
        ("antiphon-interop", &["antiphon-model", "antiphon-contract", "antiphon-log", "antiphon-stream"]),
        ("antiphon-store", &["antiphon-model", "antiphon-contract", "antiphon-log", "async-trait", "futures-core"]),
        ("antiphon-store-jsonl", &["antiphon-store", "tokio", "zstd"]),
        ("antiphon-session", &["antiphon-store", "antiphon-transform", "antiphon-tokens"]),
        ("antiphon", &["antiphon-session?", "antiphon-model"]),
        ("antiphon-cli", &["antiphon", "clap"]),
        ("tokio", &["mio"]),
    ]);
    assert_eq!(breaches(&metadata), [""; 0]);
}

#[test]
fn the_rows_are_the_design_s_order() {
    let row = |name: &str| PLACES.iter().find(|place| place.name == name).unwrap().row;
    for place in PLACES {
        for grant in place.core.unwrap_or_default() {
            let grant = grant.trim_end_matches('?');
            assert!(!places_has(grant) || row(grant) < place.row, "{} may not name {grant}", place.name);
        }
    }
}

#[test]
fn a_crate_that_names_one_above_or_beside_it_is_found() {
    let metadata = workspace(&[
        ("antiphon-model", &[]),
        ("antiphon-store", &["antiphon-model", "antiphon-interop"]),
        ("antiphon-interop", &["antiphon-model"]),
        ("antiphon-session", &["antiphon"]),
        ("antiphon", &["antiphon-model"]),
    ]);
    assert_eq!(
        breaches(&metadata),
        [
            "antiphon-session (row 4) depends on antiphon (row 5): only rows below its own",
            "antiphon-store (row 2) depends on antiphon-interop (row 2): only rows below its own",
        ]
    );
}

#[test]
fn an_optional_dependency_upwards_is_one_all_the_same() {
    let metadata = workspace(&[("antiphon-store", &["antiphon-store-jsonl?"]), ("antiphon-store-jsonl", &[])]);
    assert_eq!(breaches(&metadata).len(), 1);
}

#[test]
fn a_core_crate_gains_no_dependency_that_the_design_does_not_name() {
    let metadata = workspace(&[("antiphon-contract", &["antiphon-model", "regex"]), ("antiphon-model", &["serde"])]);
    assert_eq!(breaches(&metadata), ["antiphon-contract depends on regex, which the design does not name for it"]);
}

#[test]
fn what_belongs_behind_a_feature_stays_there() {
    let metadata = workspace(&[("antiphon-stream", &["futures-core"])]);
    assert_eq!(breaches(&metadata), ["antiphon-stream depends on futures-core always: it must stay behind a feature"]);
}

#[test]
fn a_runtime_deep_in_a_core_crate_s_tree_is_found_with_the_way_to_it() {
    let metadata = workspace(&[
        ("antiphon-model", &["infer"]),
        ("antiphon-log", &["antiphon-model"]),
        ("infer", &["fetcher"]),
        ("fetcher", &["tokio"]),
        ("tokio", &[]),
    ]);
    assert_eq!(
        breaches(&metadata),
        [
            "antiphon-log has tokio in its tree: antiphon-log -> antiphon-model -> infer -> fetcher -> tokio",
            "antiphon-model has tokio in its tree: antiphon-model -> infer -> fetcher -> tokio",
        ]
    );
}

#[test]
fn an_edge_crate_may_have_a_runtime() {
    let metadata = workspace(&[("antiphon-store-postgres", &["tokio"]), ("tokio", &["mio"])]);
    assert_eq!(breaches(&metadata), [""; 0]);
}

#[test]
fn a_crate_without_a_row_is_unknown() {
    let metadata = workspace(&[("antiphon-oracle", &[])]);
    let problems = breaches(&metadata);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("antiphon-oracle has no row"), "{problems:?}");
}

#[test]
fn a_contagious_feature_of_serde_json_is_found() {
    let mut metadata = workspace(&[("antiphon-model", &["serde_json"])]);
    metadata.members.get_mut("antiphon-model").unwrap().dependencies[0].features =
        vec!["raw_value".to_owned(), "preserve_order".to_owned()];
    assert_eq!(
        breaches(&metadata),
        ["antiphon-model switches on serde_json's preserve_order, which would change every user's build"]
    );
}

#[test]
fn a_table_lists_what_is_there_and_nothing_else() {
    let present = BTreeSet::from(["antiphon-model", "xtask"]);
    let map = "| crate | holds |\n| --- | --- |\n| `antiphon-model` | the messages |\n| `xtask` | tasks |\n";
    assert_eq!(drift("MAP.md", map, &present), [""; 0]);
    assert_eq!(
        drift("MAP.md", &map.replace("xtask", "antiphon-gone"), &present),
        ["MAP.md does not list xtask", "MAP.md lists antiphon-gone, which is not there"]
    );
}
