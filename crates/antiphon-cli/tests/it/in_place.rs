//! Writing over the file: as a whole, with its mode, and with a backup.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::support::{Run, command, finish, run, said};

const BROKEN: &str = r#"[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}]"#;

fn broken(folder: &Path) -> PathBuf {
    let path = folder.join("a.json");
    std::fs::write(&path, BROKEN).unwrap();
    path
}

fn fix(path: &Path, more: &[&str]) -> Run {
    let mut args = vec![OsStr::new("fix"), path.as_os_str()];
    args.extend(more.iter().map(OsStr::new));
    run(&args)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_old_file_is_kept_beside_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = broken(folder.path());
    let printed = fix(&path, &[]);
    let run = fix(&path, &["--in-place"]);
    assert_eq!((run.code, run.stdout.len()), (Some(0), 0), "{run:?}");
    assert!(run.stderr.contains("a.json.bak"), "{}", run.stderr);
    assert_eq!(std::fs::read(&path).unwrap(), printed.stdout);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.json.bak")).unwrap(), BROKEN);
    assert_eq!(names(folder.path()), ["a.json", "a.json.bak"]);
    // Nothing to do: nothing is written, no backup is made.
    let again = fix(&path, &["--in-place"]);
    assert!(again.stderr.contains("nothing to repair"), "{}", again.stderr);
    assert_eq!(names(folder.path()), ["a.json", "a.json.bak"]);
    // A backup is never written over.
    std::fs::write(&path, BROKEN.replace("go", "again")).unwrap();
    fix(&path, &["--in-place"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.json.bak")).unwrap(), BROKEN);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.json.bak.1")).unwrap(), BROKEN.replace("go", "again"));
}

#[test]
fn no_backup_when_none_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = broken(folder.path());
    fix(&path, &["--in-place", "--no-backup"]);
    assert_eq!(names(folder.path()), ["a.json"]);
    assert_ne!(std::fs::read_to_string(&path).unwrap(), BROKEN);
}

#[test]
fn a_session_is_fixed_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let lines =
        said("user", "one") + "\r\n" + "{\"role\":\"assist" + &said("assistant", "two") + "\n" + &said("user", "three");
    std::fs::write(&path, &lines).unwrap();
    let run = fix(&path, &["--in-place"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let after = std::fs::read_to_string(&path).unwrap();
    assert!(after.starts_with(&(said("user", "one") + "\r\n")), "{after:?}");
    assert_eq!(after.lines().count(), 3, "{after:?}");
    assert_eq!(std::fs::read_to_string(folder.path().join("s.jsonl.bak")).unwrap(), lines);
    assert!(fix(&path, &["--in-place"]).stderr.contains("nothing to repair"));
}

#[cfg(unix)]
#[test]
fn mode_and_link_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("deep");
    std::fs::create_dir(&deep).unwrap();
    let path = broken(&deep);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    let link = folder.path().join("link.json");
    std::os::unix::fs::symlink("deep/a.json", &link).unwrap();
    let run = fix(&link, &["--in-place"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o640);
    assert_eq!(mode(&deep.join("a.json.bak")), 0o640, "a backup is no more open than the file");
    assert_ne!(std::fs::read_to_string(&path).unwrap(), BROKEN);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_named_and_the_file_stays() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = tempfile::tempdir().unwrap();
    let path = broken(folder.path());
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o555)).unwrap();
    let trial = folder.path().join("trial");
    let all_may = std::fs::write(&trial, "").is_ok();
    if all_may {
        std::fs::remove_file(&trial).unwrap();
        if command().arg("--version").uid(65534).stdout(std::process::Stdio::null()).status().is_err() {
            println!("skipped: every folder is open to this user");
            return;
        }
    }
    for more in [&["--in-place"][..], &["--in-place", "--no-backup"]] {
        let mut fix = command();
        fix.arg("fix").arg(&path).args(more);
        if all_may {
            fix.uid(65534);
        }
        finish(&mut fix, b"").refuses(2, &["a.json", "Permission denied"]);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), BROKEN);
        assert_eq!(names(folder.path()), ["a.json"]);
    }
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn an_output_file_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = broken(folder.path());
    let out = folder.path().join("out.json");
    let run = fix(&path, &["--output", out.to_str().unwrap()]);
    assert_eq!((run.code, run.stdout.len()), (Some(0), 0));
    assert_eq!(std::fs::read(&out).unwrap(), fix(&path, &[]).stdout);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), BROKEN);
    fix(&path, &["--output", folder.path().join("no/such/out.json").to_str().unwrap()]).refuses(2, &["out.json"]);
    fix(&path, &["--output", folder.path().to_str().unwrap()]).refuses(2, &[folder.path().to_str().unwrap()]);
}

/// Where something is left that cannot be repaired, the file is not written over with half a repair.
#[test]
fn a_refusal_is_told_by_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    let text = format!("[{},{}]", said("user", "a"), said("assistant", "b"));
    std::fs::write(&path, &text).unwrap();
    let run = fix(&path, &["--in-place", "--model", "claude-opus-4-6"]);
    run.refuses(1, &["ends-with-assistant", "--continue-with"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_diff_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = broken(folder.path());
    let run = fix(&path, &["--diff"]);
    assert_eq!(run.code, Some(0));
    assert!(
        run.text().starts_with("---") && run.text().contains("\n+") && run.text().contains("tool_result"),
        "{}",
        run.text()
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), BROKEN);
    assert_eq!(names(folder.path()), ["a.json"]);
}
