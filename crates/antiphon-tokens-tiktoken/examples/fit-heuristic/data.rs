//! The texts, in pieces, with their exact counts and their features.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use antiphon_tokens::fit::{FEATURES, features, next};
use serde_json::Value;

/// One piece of text: what the fit and the report look at.
pub struct Piece {
    pub kind: String,
    pub tokens: f64,
    pub features: Vec<(u16, f32)>,
    #[allow(dead_code, reason = "the measuring program has use for it")]
    pub text: String,
    /// About 2 KB, as the report wants it.
    pub whole: bool,
}

pub struct Set {
    pub fit: Vec<Piece>,
    pub test: Vec<Piece>,
}

pub fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("ANTIPHON_CORPUS").map(PathBuf::from);
    let path = path.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"));
    path.is_dir().then_some(path)
}

type Count<'a> = &'a dyn Fn(&str) -> usize;

impl Set {
    pub fn load(corpus: &Path, extra: Option<&Path>, count: Count<'_>) -> std::io::Result<Set> {
        let mut set = Set { fit: Vec::new(), test: Vec::new() };
        for (kind, text) in texts(&corpus.join("text"))? {
            cut(&kind, &text, 400, 0, count, &mut set.test);
        }
        if let Some(extra) = extra {
            for (kind, text) in texts(extra)? {
                cut(&kind, &text, 40, 40, count, &mut set.fit);
            }
        }
        for folder in ["claude-code", "codex", "other-agents"] {
            let mut paths: Vec<_> = fs::read_dir(corpus.join(folder))?.filter_map(|e| Some(e.ok()?.path())).collect();
            paths.sort();
            let mut seen = HashSet::new();
            for path in paths {
                let Ok(text) = fs::read_to_string(&path) else { continue };
                let mut strings = Vec::new();
                let whole: Option<Value> = serde_json::from_str(&text).ok();
                match whole {
                    Some(value) => collect(&value, &mut strings),
                    None => text
                        .lines()
                        .filter_map(|l| serde_json::from_str::<Value>(l).ok())
                        .for_each(|value| collect(&value, &mut strings)),
                }
                // The family of files (before the double underscore), so that one session's parts stay together.
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let family = name.split("__").next().unwrap_or_default().to_owned();
                let mut hasher = DefaultHasher::new();
                (folder, family).hash(&mut hasher);
                let fit = hasher.finish().is_multiple_of(2);
                strings.retain(|s| seen.insert(s.clone()));
                let kind = format!("session-{folder}");
                let into = if fit { &mut set.fit } else { &mut set.test };
                for (i, string) in strings.iter().take(900).enumerate() {
                    let small = usize::from(i % 4 == 0 && fit) * 2;
                    cut(&kind, string, 12, small, count, into);
                }
            }
        }
        Ok(set)
    }
}

fn texts(folder: &Path) -> std::io::Result<Vec<(String, String)>> {
    let mut paths: Vec<_> = fs::read_dir(folder)?.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    Ok(paths
        .into_iter()
        .filter_map(|p| {
            let name = p.file_stem()?.to_str()?.to_owned();
            let kind = name.split_once("__").map_or(name.as_str(), |(k, _)| k);
            // Languages are reported one by one.
            let kind = if kind == "lang" || kind == "udhr" { name.as_str() } else { kind };
            Some((kind.to_owned(), fs::read_to_string(&p).ok()?))
        })
        .collect())
}

fn collect(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(s) if s.len() >= 100 && !s.starts_with("data:") => into.push(s.clone()),
        Value::Array(items) => items.iter().for_each(|v| collect(v, into)),
        Value::Object(members) => members.iter().for_each(|(k, v)| {
            if k != "signature" && k != "data" && k != "encrypted_content" {
                collect(v, into);
            }
        }),
        _ => {}
    }
}

/// Cuts a text into pieces of 2 KB (at most `large`, evenly spread) and a few of 250 bytes.
fn cut(kind: &str, text: &str, large: usize, small: usize, count: Count<'_>, into: &mut Vec<Piece>) {
    for (size, most) in [(2048, large), (250, small)] {
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let mut end = size.min(rest.len());
            while !rest.is_char_boundary(end) {
                end += 1;
            }
            let (piece, after) = rest.split_at(end);
            if piece.len() >= size / 2 || (size == 250 && piece.len() > 60) {
                pieces.push(piece);
            }
            rest = after;
        }
        let step = pieces.len().div_ceil(most.max(1)).max(1);
        if most > 0 {
            for piece in pieces.into_iter().step_by(step) {
                into.push(Piece {
                    kind: kind.to_owned(),
                    tokens: count(piece) as f64,
                    features: counted(piece),
                    text: piece.to_owned(),
                    whole: size == 2048,
                });
            }
        }
    }
}

fn counted(text: &str) -> Vec<(u16, f32)> {
    let mut of = BTreeMap::new();
    let mut state = 0;
    for &byte in text.as_bytes() {
        for feature in features(state, byte) {
            if feature < FEATURES {
                *of.entry(feature).or_insert(0.0) += 1.0;
            }
        }
        state = next(state, byte);
    }
    of.into_iter().collect()
}
