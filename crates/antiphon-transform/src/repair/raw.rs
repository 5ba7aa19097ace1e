//! Small tools on raw JSON.

use antiphon_model::{RawJson, RawRef, Text};

/// The object with one member replaced; the rest keeps its spelling. `None` if it is no object.
pub(super) fn with_member(raw: RawRef<'_>, key: &str, value: RawRef<'_>) -> Option<RawJson> {
    let mut out = String::from("{");
    for (name, old) in raw.members() {
        if out.len() > 1 {
            out.push(',');
        }
        Text::from(&*name).write_json(&mut out);
        out.push(':');
        out.push_str(if name == key { value.get() } else { old.get() });
    }
    out.push('}');
    RawJson::parse(&out).ok()
}

/// An object with one member.
pub(super) fn wrapped(key: &str, value: RawRef<'_>) -> RawJson {
    let mut out = String::from("{");
    Text::from(key).write_json(&mut out);
    out.push(':');
    out.push_str(value.get());
    out.push('}');
    RawJson::parse(&out).unwrap_or_else(|_| RawJson::object())
}
