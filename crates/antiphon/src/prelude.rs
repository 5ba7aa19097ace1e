//! What most programs use, for `use antiphon::prelude::*;`.
//!
//! Only names that say what they are without their module. The rest is found by its part: `antiphon::log::read`,
//! `antiphon::interop::claude_code`.

pub use antiphon_model::{Content, ContentBlock, Message, RawJson, Request, Role, ToolResult, ToolUse};

#[cfg(feature = "contract")]
pub use antiphon_contract::{Finding, Profile, Severity, check, diagnose};

#[cfg(feature = "stream")]
pub use antiphon_stream::{MessageDecoder, Update};

#[cfg(feature = "tokens")]
pub use antiphon_tokens::{Budget, Costs, Family, Heuristic, Meter, TokenCounter};

#[cfg(feature = "transform")]
pub use antiphon_transform::{Conversation, Merge, Pipeline, Repair, Report, Transform};
