//! Members of JSON objects, in order.

use std::collections::HashMap;

use antiphon_model::{RawJson, RawRef};
use serde::{Deserialize, Serialize};

/// Appends `,"key":value`.
pub(crate) fn write_member(key: &str, value: &str, out: &mut String) {
    out.push(',');
    out.push_str(RawJson::string(key).get());
    out.push(':');
    out.push_str(value);
}

/// An object that is put together member by member. Setting is constant time, so that a peer with very many members
/// costs no more than its bytes.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<(String, RawJson)>", into = "Vec<(String, RawJson)>")]
pub(crate) struct Members {
    list: Vec<(String, RawJson)>,
    places: HashMap<String, usize>,
    bytes: usize,
}

impl From<Vec<(String, RawJson)>> for Members {
    fn from(list: Vec<(String, RawJson)>) -> Self {
        let mut members = Self::default();
        for (key, value) in list {
            members.set(&key, value);
        }
        members
    }
}

impl From<Members> for Vec<(String, RawJson)> {
    fn from(members: Members) -> Self {
        members.list
    }
}

impl Members {
    pub(crate) fn of(object: RawRef<'_>) -> Self {
        let mut members = Self::default();
        for (key, value) in object.members() {
            members.set(&key, value.to_owned());
        }
        members
    }

    pub(crate) fn get(&self, key: &str) -> Option<&RawJson> {
        self.list.get(*self.places.get(key)?).map(|(_, value)| value)
    }

    /// Sets a member in its place, or adds it at the end.
    pub(crate) fn set(&mut self, key: &str, value: RawJson) {
        if let Some((_, old)) = self.places.get(key).and_then(|&place| self.list.get_mut(place)) {
            self.bytes = self.bytes.saturating_sub(old.get().len()) + value.get().len();
            *old = value;
            return;
        }
        self.bytes += key.len() + value.get().len();
        self.places.insert(key.to_owned(), self.list.len());
        self.list.push((key.to_owned(), value));
    }

    /// The same, but null does not replace what is known: in a stream it means "nothing new".
    pub(crate) fn update(&mut self, key: &str, value: RawRef<'_>) {
        if !value.is_null() || self.get(key).is_none() {
            self.set(key, value.to_owned());
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &RawJson)> {
        self.list.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// About what the object takes as text.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The object; `None` if it nests deeper than the model allows.
    pub(crate) fn to_raw(&self) -> Option<RawJson> {
        let mut out = String::new();
        for (key, value) in &self.list {
            write_member(key, value.get(), &mut out);
        }
        out.push('}');
        if out.starts_with(',') {
            out.replace_range(..1, "{");
        } else {
            out.insert(0, '{');
        }
        RawJson::parse(&out).ok()
    }
}
