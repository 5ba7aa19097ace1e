//! JSON kept as it was written.
//!
//! A general JSON library changes what it reads: numbers lose digits, keys change order, half a
//! surrogate pair is refused. The types here validate JSON text (RFC 8259, strictly) and keep it:
//! [`RawJson`] owns a text, [`RawRef`] borrows one, [`Text`] is a decoded string that remembers a
//! spelling which Unicode cannot hold. [`Scanner`] is the pull scanner under all of them: iterative,
//! bounded in depth by [`MAX_DEPTH`], and it never panics.

mod compact;
mod equal;
mod error;
mod find;
mod iter;
mod raw;
mod scan;
mod text;
mod utf8;

pub use error::{JsonError, JsonErrorKind};
pub use iter::{Elements, Members};
pub use raw::{JsonKind, RawJson, RawRef};
pub use scan::{MAX_DEPTH, Scanner};
pub use text::Text;
pub use utf8::{LossyUtf8, decode_utf8};

pub(crate) use compact::compact;
pub(crate) use scan::{Pair, decode_key};
pub(crate) use text::write_escaped;
