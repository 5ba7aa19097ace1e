//! Running the binary, and folders of data.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use antiphon_model::{Message, RawJson, RawRef};
use serde_json::Value;

/// What a run came to.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    /// The most memory it held, in bytes, as far as it was seen.
    pub(crate) peak: u64,
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let start = |text: &str| text.chars().take(4000).collect::<String>();
        let out = start(&String::from_utf8_lossy(&self.stdout));
        write!(f, "exit code {:?}\nstdout: {out}\nstderr: {}", self.code, start(&self.stderr))
    }
}

impl Run {
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// The one JSON object on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// The findings with this severity, by rule.
    pub(crate) fn rules(&self, severity: &str) -> Vec<String> {
        let report = self.json();
        let findings = report["findings"].as_array().unwrap().iter();
        findings.filter(|f| f["severity"] == severity).map(|f| f["rule"].as_str().unwrap().to_owned()).collect()
    }

    /// Refused with `code`, in words that name each of `parts`, and without a panic.
    #[track_caller]
    pub(crate) fn refuses(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in: {}", self.stderr);
        }
    }
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_antiphon"));
    command.env_remove("RUST_BACKTRACE").env("NO_COLOR", "1");
    command
}

pub(crate) fn run<S: AsRef<OsStr>>(args: &[S]) -> Run {
    finish(command().args(args), b"")
}

pub(crate) fn run_with_input<S: AsRef<OsStr>>(args: &[S], input: &[u8]) -> Run {
    finish(command().args(args), input)
}

/// Runs to the end. Whatever was asked, no run may panic or die of a signal.
pub(crate) fn finish(command: &mut Command, input: &[u8]) -> Run {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout, mut stderr) =
        (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let (out, err, peak, status) = std::thread::scope(|scope| {
        // A command that never looks at its input closes it early.
        scope.spawn(move || drop(stdin.write_all(input)));
        let out = scope.spawn(move || {
            let mut bytes = Vec::new();
            stdout.read_to_end(&mut bytes).map(|_| bytes)
        });
        let err = scope.spawn(move || {
            let mut bytes = Vec::new();
            stderr.read_to_end(&mut bytes).map(|_| bytes)
        });
        let mut peak = 0;
        let status = loop {
            peak = peak.max(peak_memory(child.id()));
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None => std::thread::sleep(std::time::Duration::from_millis(2)),
            }
        };
        (out.join().unwrap().unwrap(), err.join().unwrap().unwrap(), peak, status)
    });
    let stderr = String::from_utf8(err).unwrap();
    let run = Run { code: status.code(), stdout: out, stderr, peak };
    assert!(matches!(run.code, Some(0..=2)), "{command:?}: exit code {:?}: {}", run.code, run.stderr);
    assert!(!run.stderr.contains("panicked"), "{command:?}: {}", run.stderr);
    run
}

/// The high-water mark of a process, where the system tells.
fn peak_memory(pid: u32) -> u64 {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{pid}/status")) else { return 0 };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The folder of cases.
pub(crate) fn cases() -> PathBuf {
    folder("ANTIPHON_CASES", "../../testdata/cases")
}

/// The folder of real recordings; it need not be there.
pub(crate) fn corpus() -> PathBuf {
    folder("ANTIPHON_CORPUS", "../../../shared/corpus")
}

/// A folder named by a variable of the environment, or one beside this package.
fn folder(variable: &str, default: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(default), PathBuf::from)
}

/// The files of a folder, in order of their names.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("skipped: nothing to read in {}", folder.display());
        return Vec::new();
    };
    let mut files: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// JSON text for code: lone surrogates become U+FFFD first, as no strict reader takes them.
pub(crate) fn value(raw: RawRef<'_>) -> Value {
    let whole = raw.without_lone_surrogates();
    let text = whole.as_ref().map_or(raw.get(), RawJson::get);
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}"))
}

/// A message as the API is sent it, for code.
pub(crate) fn wire(message: &Message) -> Value {
    value(RawJson::parse(&message.to_wire().to_json()).unwrap().as_ref())
}

/// A message with this role and text, as JSON.
pub(crate) fn said(role: &str, text: &str) -> String {
    format!(r#"{{"role":"{role}","content":"{text}"}}"#)
}
