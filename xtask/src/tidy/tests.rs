use super::*;

const MANIFEST: &str = "[package]\nname = \"a\"\nversion.workspace = true\nedition.workspace = true\n\
                        rust-version.workspace = true\nlicense.workspace = true\n\n[lints]\nworkspace = true\n";

fn found(path: &str, text: &str) -> Vec<String> {
    file(Path::new(path), text)
}

#[test]
fn a_source_file_has_at_most_600_lines() {
    let text = "//\n".repeat(MAX_LINES);
    assert_eq!(found("crates/a/src/deep/b.rs", &text), [""; 0]);
    let longer = text + "//\n";
    assert_eq!(
        found("crates/a/src/deep/b.rs", &longer),
        ["crates/a/src/deep/b.rs: 601 lines; at most 600, one idea a file"]
    );
    assert_eq!(found("crates/a/tests/it/main.rs", &longer), [""; 0], "tests may be as long as their cases");
}

#[test]
fn marks_of_unfinished_work_are_found_with_their_line() {
    for mark in UNFINISHED {
        let text = format!("fn f() {{\n    {mark})\n}}\n");
        assert_eq!(found("xtask/src/f.rs", &text), [format!("xtask/src/f.rs:2: unfinished: `{mark}`")]);
    }
}

#[test]
fn a_machine_s_path_is_found_in_any_text_file() {
    for path in MACHINE_PATHS {
        for file in ["README.md", "crates/a/tests/it/b.rs", "testdata/x.json"] {
            let text = format!("see {path}x");
            assert_eq!(found(file, &text), [format!("{file}:1: a machine's own path: `{path}`")]);
        }
    }
    assert_eq!(found("README.md", "see ~/x and ./target/doc"), [""; 0]);
}

#[test]
fn a_registry_s_host_is_found_but_in_prose_and_the_lock_file() {
    for host in REGISTRIES {
        let text = format!("https://{host}x");
        assert_eq!(found(".ci/run", &text), [format!(".ci/run:1: a registry's host: `{host}`")]);
        assert_eq!(found("README.md", &text), [""; 0]);
        assert_eq!(found("Cargo.lock", &text), [""; 0]);
    }
}

#[test]
fn a_manifest_inherits_its_fields_and_the_lints() {
    assert_eq!(found("crates/a/Cargo.toml", MANIFEST), [""; 0]);
    for field in INHERITED {
        let own = MANIFEST.replace(&format!("\n{field}.workspace = true"), &format!("\n{field} = \"1\""));
        assert_eq!(
            found("crates/a/Cargo.toml", &own),
            [format!("crates/a/Cargo.toml: `{field}.workspace = true` is missing")]
        );
    }
    for broken in ["[lints]\nworkspace = false\n", "[lints.rust]\nworkspace = true\n", ""] {
        let own = MANIFEST.replace("[lints]\nworkspace = true\n", broken);
        assert_eq!(
            found("benches/Cargo.toml", &own),
            ["benches/Cargo.toml: `[lints]` with `workspace = true` is missing"]
        );
    }
    assert_eq!(found("Cargo.toml", "[workspace]\n"), [""; 0], "the root is no member");
}

#[test]
fn the_readme_names_the_oldest_rust() {
    let manifest = "[workspace.package]\nedition = \"2024\"\nrust-version = \"1.89\"\n";
    assert_eq!(stale_rust_version(manifest, "needs Rust 1.89. Raising it"), None);
    let stale = stale_rust_version(manifest, "needs Rust 1.88. Raising it").unwrap();
    assert!(stale.contains("Rust 1.89."), "{stale}");
}

#[test]
fn the_facade_holds_no_function() {
    let text = "//! fn in prose\npub use antiphon_model as model;\n";
    assert_eq!(found("crates/antiphon/src/lib.rs", text), [""; 0]);
    let text = "pub use a::b;\n    pub const fn c() {}\n";
    assert_eq!(found("crates/antiphon/src/lib.rs", text), ["crates/antiphon/src/lib.rs:2: a function in the facade"]);
    assert_eq!(found("crates/antiphon-model/src/lib.rs", text), [""; 0]);
}

#[test]
fn every_expectation_has_its_input() {
    let files =
        ["1-a.expect.json", "1-a.json", "2-b.expect.json", "2-b.sse", "3-c.expect.json", "3-cc.json", "README.md"];
    let files = files.map(str::to_owned).into();
    assert_eq!(
        lonely_expectations(&files),
        ["testdata/cases/3-c.expect.json: there is no 3-c.json, .jsonl or .sse beside it"]
    );
}

#[test]
fn walking_leaves_out_what_a_build_makes() {
    let root = crate::root();
    let mut paths = Vec::new();
    walk(&root, Path::new(""), &mut paths).unwrap();
    assert!(paths.contains(&PathBuf::from("xtask/src/tidy.rs")));
    assert!(!paths.iter().any(|path| path.starts_with(".git") || path.starts_with("target")));
}
