use antiphon_model::JsonError;
use antiphon_model::json::JsonKind;

/// What this crate can refuse. Reading never fails: damage is in the [`LoadReport`](crate::LoadReport).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// A record is a JSON object, and this is another kind of value.
    #[error("a record is a JSON object, not {}", .kind.name())]
    NotAnObject {
        /// What was given.
        kind: JsonKind,
    },
    /// The text is not JSON.
    #[error("not a record: {0}")]
    Json(JsonError),
}

impl From<JsonError> for LogError {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}
