//! Writing a result: to stdout, to a file, or over the file it came from.

use anyhow::{Context, bail};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes to standard output.
pub(crate) fn to_stdout(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

/// Says something on standard error. If that is closed or full there is nobody to tell.
pub(crate) fn say(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Writes a file as a whole: beside it first, then renamed, so that nobody ever sees half of it. The mode
/// of a file that is there stays; a link is followed.
pub(crate) fn to_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let target = match fs::canonicalize(path) {
        Ok(target) => target,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error).with_context(|| format!("cannot write {}", path.display())),
    };
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let failed = || format!("cannot write {}", path.display());
    let mut file = tempfile::Builder::new().prefix(".antiphon-").tempfile_in(&folder).with_context(failed)?;
    file.write_all(bytes).with_context(failed)?;
    match fs::metadata(&target) {
        Ok(old) => file.as_file().set_permissions(old.permissions()).with_context(failed)?,
        Err(_) => new_file_mode(&file).with_context(failed)?,
    }
    file.as_file().sync_all().with_context(failed)?;
    file.persist(&target).with_context(failed)?;
    // The rename itself is durable only when the folder is.
    if let Ok(folder) = fs::File::open(&folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A temporary file is its owner's alone; a new result is as any new file.
#[cfg(unix)]
fn new_file_mode(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn new_file_mode(_: &tempfile::NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

/// Keeps the file as `FILE.bak`, or `FILE.bak.N` if there is one already; never writes over one.
pub(crate) fn backup(path: &Path) -> anyhow::Result<PathBuf> {
    let target = fs::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
    for n in 0..10_000 {
        let mut name = target.clone().into_os_string();
        name.push(if n == 0 { ".bak".to_owned() } else { format!(".bak.{n}") });
        let to = PathBuf::from(name);
        match fs::OpenOptions::new().write(true).create_new(true).open(&to) {
            Ok(_) => {
                fs::copy(&target, &to).with_context(|| format!("cannot write the backup {}", to.display()))?;
                return Ok(to);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(|| format!("cannot write the backup {}", to.display())),
        }
    }
    bail!("there are ten thousand backups of {} already", path.display())
}
