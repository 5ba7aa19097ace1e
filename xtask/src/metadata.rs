//! What `cargo metadata` says about the workspace, reduced to what the checks ask.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::Outcome;
use crate::run::Program;

/// The workspace's packages and everything they are built from.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    /// The workspace's members, by name.
    pub(crate) members: BTreeMap<String, Package>,
    /// For every package of the build, by package id: its name and the ids of what it needs in a normal build, with all
    /// features on.
    pub(crate) tree: BTreeMap<String, Node>,
}

/// One member of the workspace.
#[derive(Debug, Default)]
pub(crate) struct Package {
    pub(crate) id: String,
    /// Whether its manifest lies in `crates/`.
    pub(crate) in_crates: bool,
    /// The features it declares, `default` left out.
    pub(crate) features: BTreeSet<String>,
    /// What it needs in a normal build or in its build script. Development dependencies are left out.
    pub(crate) dependencies: Vec<Dependency>,
}

/// One line of a manifest's `[dependencies]`.
#[derive(Debug, Default)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) optional: bool,
    /// The features it switches on in the dependency.
    pub(crate) features: Vec<String>,
}

/// A package in the resolved tree.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) needs: Vec<String>,
}

impl Metadata {
    /// Asks cargo. Features of all members are on, so that an optional dependency counts.
    pub(crate) fn load(root: &Path) -> Outcome<Self> {
        let text = Program::cargo(root).words("metadata --format-version 1 --all-features --locked").stdout()?;
        Self::parse(&serde_json::from_str(&text)?).ok_or_else(|| "`cargo metadata` has an unknown shape".into())
    }

    fn parse(value: &Value) -> Option<Self> {
        let ids: BTreeSet<&str> =
            value.get("workspace_members")?.as_array()?.iter().filter_map(Value::as_str).collect();
        let mut metadata = Self::default();
        let mut names = BTreeMap::new();
        for package in value.get("packages")?.as_array()? {
            let id = package.get("id")?.as_str()?;
            let name = package.get("name")?.as_str()?;
            names.insert(id, name);
            if ids.contains(id) {
                metadata.members.insert(name.to_owned(), Package::parse(id, package)?);
            }
        }
        for node in value.get("resolve")?.get("nodes")?.as_array()? {
            let id = node.get("id")?.as_str()?;
            let deps = node.get("deps")?.as_array()?.iter().filter(|dep| is_normal(dep));
            let needs = deps.filter_map(|dep| Some(dep.get("pkg")?.as_str()?.to_owned())).collect();
            metadata.tree.insert(id.to_owned(), Node { name: (*names.get(id)?).to_owned(), needs });
        }
        Some(metadata)
    }

    /// The members in `crates/` by name, in alphabetical order.
    pub(crate) fn crates(&self) -> impl Iterator<Item = (&str, &Package)> {
        self.members.iter().filter(|(_, package)| package.in_crates).map(|(name, package)| (name.as_str(), package))
    }
}

impl Package {
    fn parse(id: &str, package: &Value) -> Option<Self> {
        let manifest = Path::new(package.get("manifest_path")?.as_str()?);
        let folder = manifest.parent()?.parent()?.file_name()?;
        let features = package.get("features")?.as_object()?.keys().filter(|name| *name != "default");
        let dependencies = package.get("dependencies")?.as_array()?.iter().filter(|dep| !is_dev(dep));
        Some(Self {
            id: id.to_owned(),
            in_crates: folder == "crates",
            features: features.cloned().collect(),
            dependencies: dependencies.map(Dependency::parse).collect::<Option<_>>()?,
        })
    }
}

impl Dependency {
    fn parse(dependency: &Value) -> Option<Self> {
        let features = dependency.get("features")?.as_array()?.iter();
        Some(Self {
            name: dependency.get("name")?.as_str()?.to_owned(),
            optional: dependency.get("optional")?.as_bool()?,
            features: features.filter_map(|feature| feature.as_str().map(str::to_owned)).collect(),
        })
    }
}

fn is_dev(dependency: &Value) -> bool {
    dependency.get("kind").and_then(Value::as_str) == Some("dev")
}

/// Whether an edge of the resolved tree is a normal dependency; cargo writes that kind as null.
fn is_normal(edge: &Value) -> bool {
    edge.get("dep_kinds")
        .and_then(Value::as_array)
        .is_some_and(|kinds| kinds.iter().any(|kind| kind.get("kind").is_some_and(Value::is_null)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_s_answer_becomes_members_and_a_tree() {
        let value: Value = serde_json::from_str(
            r#"{
              "workspace_members": ["path#a", "path#x"],
              "packages": [
                {"id": "path#a", "name": "a", "manifest_path": "w/crates/a/Cargo.toml",
                 "features": {"default": ["fs"], "fs": []},
                 "dependencies": [
                   {"name": "b", "kind": null, "optional": true, "features": ["f"]},
                   {"name": "t", "kind": "dev", "optional": false, "features": []},
                   {"name": "g", "kind": "build", "optional": false, "features": []}]},
                {"id": "path#x", "name": "x", "manifest_path": "w/x/Cargo.toml", "features": {}, "dependencies": []},
                {"id": "reg#b", "name": "b", "manifest_path": "r/b/Cargo.toml", "features": {}, "dependencies": []}],
              "resolve": {"nodes": [
                {"id": "path#a", "deps": [
                  {"pkg": "reg#b", "dep_kinds": [{"kind": null}]},
                  {"pkg": "reg#t", "dep_kinds": [{"kind": "dev"}]}]},
                {"id": "reg#b", "deps": []}]}
            }"#,
        )
        .unwrap();
        let metadata = Metadata::parse(&value).unwrap();
        let a = &metadata.members["a"];
        assert!(a.in_crates);
        assert_eq!(a.features.iter().collect::<Vec<_>>(), ["fs"]);
        let names: Vec<&str> = a.dependencies.iter().map(|dependency| dependency.name.as_str()).collect();
        assert_eq!(names, ["b", "g"], "development dependencies are free, a build script's are not");
        assert!(a.dependencies[0].optional);
        assert_eq!(a.dependencies[0].features, ["f"]);
        assert!(!metadata.members["x"].in_crates);
        assert_eq!(metadata.tree["path#a"].needs, ["reg#b"]);
        assert_eq!(metadata.tree["reg#b"].name, "b");
    }

    #[test]
    fn another_shape_is_no_metadata() {
        assert!(Metadata::parse(&serde_json::json!({"packages": []})).is_none());
    }
}
