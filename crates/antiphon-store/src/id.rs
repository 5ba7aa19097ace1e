//! Names that are safe wherever a store puts them.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// The longest id, in bytes: with a suffix of a store's own it stays below the 255 that file systems take.
pub const MAX_ID: usize = 128;

/// The name of a session.
///
/// 1 to [`MAX_ID`] of `A-Z a-z 0-9 . _ -`, not beginning with `.` or `-`, not ending with `.`, and no name that Windows keeps for
/// a device. So it is a file name everywhere and can leave no folder, and it means nothing in SQL, a URL or a shell. Two ids
/// that differ only in case are two sessions; a store on a file system that does not tell them apart refuses the second.
///
/// ```
/// use antiphon_store::SessionId;
/// assert_eq!(SessionId::new("chat-1")?.as_str(), "chat-1");
/// let error = SessionId::new("../secrets").unwrap_err();
/// assert_eq!(error.to_string(), r#"invalid session id "../secrets": it begins with '.'"#);
/// # Ok::<(), antiphon_store::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(Box<str>);

/// A name that a caller gives an append, so that it can be repeated after a failure without being done twice. The same characters
/// as in a [`SessionId`]. It is known within its session only.
///
/// ```
/// let id = antiphon_store::AppendId::new("turn-7")?;
/// assert_eq!(id.to_string(), "turn-7");
/// # Ok::<(), antiphon_store::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AppendId(Box<str>);

/// Names that Windows gives to devices, whatever stands behind a dot.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

fn check(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    if text.len() > MAX_ID {
        return Err(format!("it has {} bytes, {MAX_ID} are allowed", text.len()));
    }
    if let Some(first) = text.chars().next().filter(|c| matches!(c, '.' | '-')) {
        return Err(format!("it begins with {first:?}"));
    }
    if let Some(other) = text.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))) {
        return Err(format!("{other:?} is not one of A-Z a-z 0-9 . _ -"));
    }
    if text.ends_with('.') {
        return Err("it ends with '.'".to_owned());
    }
    let stem = text.split('.').next().unwrap_or_default();
    if DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)) {
        return Err(format!("{stem:?} is a device on Windows"));
    }
    Ok(())
}

macro_rules! id {
    ($type:ident, $what:literal) => {
        impl $type {
            #[doc = concat!("Checks a ", $what, ".")]
            ///
            /// # Errors
            /// [`Error::InvalidId`] with the reason.
            pub fn new(text: impl AsRef<str>) -> Result<Self, Error> {
                let text = text.as_ref();
                match check(text) {
                    Ok(()) => Ok(Self(text.into())),
                    Err(reason) => Err(Error::InvalidId { what: $what, id: text.to_owned(), reason }),
                }
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl FromStr for $type {
            type Err = Error;
            fn from_str(text: &str) -> Result<Self, Error> {
                Self::new(text)
            }
        }

        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }
    };
}

id!(SessionId, "session id");
id!(AppendId, "append id");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_leave_a_folder_or_mean_something_is_no_id() {
        let bad = [
            "", ".", "..", "../a", "a/b", "a\\b", "/a", "~a", "a b", "a\0", "a\n", "é", "-rf", ".git", "a.", "a:b",
            "%2e", "a'b",
        ];
        for text in bad.into_iter().chain(["CON", "nul.jsonl", "Com1.x", &"x".repeat(MAX_ID + 1)]) {
            let error = SessionId::new(text).unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Invalid, "{text:?}");
        }
        for text in ["a", "A.b_c-9", "com10", "console", "x..y", &"x".repeat(MAX_ID)] {
            assert_eq!(SessionId::new(text).unwrap().as_str(), text);
        }
    }
}
