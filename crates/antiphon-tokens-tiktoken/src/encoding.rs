//! Encodings and which model uses which.

use antiphon_tokens::Family;

/// An encoding of OpenAI's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// `o200k_base`
    O200kBase,
    /// `o200k_harmony`: `o200k_base` with more special tokens.
    O200kHarmony,
    /// `cl100k_base`
    Cl100kBase,
}

impl Encoding {
    /// The encoding of a model, by its name as OpenAI, Azure and gateways spell it; `None` if it has none of these.
    ///
    /// ```
    /// use antiphon_tokens_tiktoken::Encoding;
    /// assert_eq!(Encoding::of_model("gpt-5-mini"), Some(Encoding::O200kBase));
    /// assert_eq!(Encoding::of_model("openai/gpt-oss-120b"), Some(Encoding::O200kHarmony));
    /// assert_eq!(Encoding::of_model("ft:gpt-3.5-turbo:acme::id"), Some(Encoding::Cl100kBase));
    /// assert_eq!(Encoding::of_model("claude-opus-4-5"), None);
    /// ```
    pub fn of_model(model: &str) -> Option<Self> {
        match Family::of_model(model)? {
            Family::O200k if model.contains("gpt-oss") => Some(Self::O200kHarmony),
            Family::O200k => Some(Self::O200kBase),
            Family::Cl100k => Some(Self::Cl100kBase),
            _ => None,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::O200kHarmony => "o200k_harmony",
            Self::Cl100kBase => "cl100k_base",
        }
    }

    /// The family of the heuristic for it.
    pub const fn family(self) -> Family {
        match self {
            Self::O200kBase | Self::O200kHarmony => Family::O200k,
            Self::Cl100kBase => Family::Cl100k,
        }
    }
}
