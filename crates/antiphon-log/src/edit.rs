//! Changing one member of a record while every other byte stays as it was written.

use antiphon_model::{RawJson, RawRef};

/// The object with member `key` set to `value`: the value alone is exchanged where the member stands (the last one, if the key is
/// repeated, as readers take it); a new member goes to the end. Anything but an object is given back unchanged.
///
/// ```
/// use antiphon_model::RawJson;
/// let line = RawJson::parse(r#"{"parentUuid": null, "n":1.0}"#)?;
/// let edited = antiphon_log::set_member(line.as_ref(), "parentUuid", RawJson::string("a").as_ref());
/// assert_eq!(edited.get(), r#"{"parentUuid": "a", "n":1.0}"#);
/// let edited = antiphon_log::set_member(edited.as_ref(), "x", RawJson::null().as_ref());
/// assert_eq!(edited.get(), r#"{"parentUuid": "a", "n":1.0,"x":null}"#);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
pub fn set_member(object: RawRef<'_>, key: &str, value: RawRef<'_>) -> RawJson {
    let text = object.get();
    let mut out = String::with_capacity(text.len() + key.len() + value.get().len() + 4);
    if let Some(old) = object.member(key) {
        let (before, after) = around(text, old.get());
        out.push_str(before);
        out.push_str(value.get());
        out.push_str(after);
    } else if let Some(open) = text.strip_suffix('}') {
        out.push_str(open);
        if object.members().next().is_some() {
            out.push(',');
        }
        out.push_str(RawJson::string(key).get());
        out.push(':');
        out.push_str(value.get());
        out.push('}');
    } else {
        return object.to_owned();
    }
    RawJson::parse(&out).unwrap_or_else(|_| object.to_owned())
}

/// The object without its members called `key`; unchanged if there is none.
///
/// ```
/// use antiphon_model::RawJson;
/// let line = RawJson::parse(r#"{"a":1,"b":[2.50], "c":3}"#)?;
/// assert_eq!(antiphon_log::remove_member(line.as_ref(), "b").get(), r#"{"a":1,"c":3}"#);
/// # Ok::<(), antiphon_model::JsonError>(())
/// ```
pub fn remove_member(object: RawRef<'_>, key: &str) -> RawJson {
    if object.member(key).is_none() {
        return object.to_owned();
    }
    let mut out = String::from("{");
    for (name, value) in object.members().filter(|(name, _)| name != key) {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(RawJson::string(&name).get());
        out.push(':');
        out.push_str(value.get());
    }
    out.push('}');
    RawJson::parse(&out).unwrap_or_else(|_| object.to_owned())
}

/// What stands before and behind `part`, which is a slice of `text`.
fn around<'a>(text: &'a str, part: &str) -> (&'a str, &'a str) {
    let from = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    (text.get(..from).unwrap_or_default(), text.get(from + part.len()..).unwrap_or_default())
}
