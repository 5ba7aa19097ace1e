//! JSON that is still being written: a push parser that shows what is certain so far, and a mender for broken text.

mod keys;
mod mend;
mod options;
mod path;
mod stream;
mod value;

pub use mend::{MendedJson, Mending, MendingKind, mend_json};
pub use options::JsonOptions;
pub use stream::{JsonEvent, JsonStream, JsonWhat};
pub use value::PartialValue;
