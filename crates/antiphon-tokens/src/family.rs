//! Families of tokenizers and which model uses which.

/// Models that cut text into the same tokens, or nearly.
///
/// ```
/// use antiphon_tokens::Family;
/// assert_eq!(Family::of_model("gpt-4o-2024-08-06"), Some(Family::O200k));
/// assert_eq!(Family::of_model("anthropic.claude-3-5-sonnet-20240620-v1:0"), Some(Family::Claude3));
/// assert_eq!(Family::of_model("claude-opus-4-7"), Some(Family::Claude4_7));
/// assert_eq!(Family::of_model("llama-3"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Family {
    /// o200k_base and o200k_harmony: GPT-4o, 4.1, 4.5, 5, o-series, gpt-oss.
    O200k,
    /// cl100k_base: GPT-4, GPT-3.5, the embedding models.
    Cl100k,
    /// Claude 3 to 4.1.
    Claude3,
    /// Claude 4.5 and 4.6.
    Claude4_5,
    /// Claude Opus 4.7 and later, Sonnet 5, Fable 5.
    Claude4_7,
    /// Gemini.
    Gemini,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::O200k, Self::Cl100k, Self::Claude3, Self::Claude4_5, Self::Claude4_7, Self::Gemini];

    /// The family of a model, by its name as providers and gateways spell it (`us.anthropic.claude-…`, `openai/gpt-…`). `None`
    /// for a name that is not known; what to take then is for the caller to say.
    pub fn of_model(model: &str) -> Option<Self> {
        let model = model.to_ascii_lowercase();
        if let Some((_, claude)) = model.split_once("claude") {
            return Some(Self::of_claude(claude));
        }
        if model.contains("gemini") {
            return Some(Self::Gemini);
        }
        let name = model.rsplit(['/', ':']).find(|part| !part.is_empty()).unwrap_or(&model);
        let name = if model.starts_with("ft:") { model.split(':').nth(1).unwrap_or(name) } else { name };
        let starts = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
        if starts(&[
            "gpt-4o",
            "chatgpt-4o",
            "gpt-4.1",
            "gpt-4.5",
            "gpt-5",
            "gpt-oss",
            "o1",
            "o3",
            "o4",
            "codex-",
            "computer-use",
        ]) {
            return Some(Self::O200k);
        }
        if starts(&["gpt-4", "gpt-3.5", "gpt-35", "text-embedding", "embedding"]) {
            return Some(Self::Cl100k);
        }
        None
    }

    /// `claude` is what stands after the word: `-3-5-sonnet-…`, `-opus-4-7`, `-sonnet-5`.
    fn of_claude(claude: &str) -> Self {
        // The first one or two small numbers are the version; dates have eight digits.
        let mut numbers =
            claude.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse::<u32>().ok().filter(|&n| n < 100));
        let major = numbers.by_ref().find_map(|n| n);
        let minor = numbers.next().flatten().unwrap_or(0);
        match (major, minor) {
            (Some(0..=3), _) | (Some(4), 0..=4) => Self::Claude3,
            (Some(4), 5 | 6) => Self::Claude4_5,
            _ => Self::Claude4_7,
        }
    }

    /// Tokens of this family for one of o200k; `None` where the family's own table is used. Fitted to recorded usage
    /// (`cargo xtask measure-tokens pairs` shows how well).
    pub const fn ratio(self) -> Option<f64> {
        match self {
            Self::O200k | Self::Cl100k => None,
            Self::Claude3 => Some(1.16),
            Self::Claude4_5 => Some(1.145),
            Self::Claude4_7 => Some(1.40),
            Self::Gemini => Some(1.08),
        }
    }

    /// How far that ratio strays, as factors below and above.
    pub(crate) const fn ratio_band(self) -> (f64, f64) {
        match self {
            Self::O200k | Self::Cl100k => (1.0, 1.0),
            Self::Claude3 | Self::Claude4_5 | Self::Claude4_7 => (0.85, 1.15),
            Self::Gemini => (0.8, 1.2),
        }
    }
}
