#![doc = include_str!("guide.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use antiphon_model as model;

#[cfg(feature = "contract")]
pub use antiphon_contract as contract;

#[cfg(feature = "interop")]
pub use antiphon_interop as interop;

#[cfg(feature = "log")]
pub use antiphon_log as log;

#[cfg(feature = "stream")]
pub use antiphon_stream as stream;

#[cfg(feature = "tokens")]
pub use antiphon_tokens as tokens;

#[cfg(feature = "transform")]
pub use antiphon_transform as transform;

pub mod prelude;
