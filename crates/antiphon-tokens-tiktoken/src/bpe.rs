//! The linear backend.

use antiphon_tokens::{Bounds, TokenCounter};

use crate::encoding::Encoding;

/// Counts by `bpe-openai`: the same counts, in linear time whatever the input, and it stops at the limit.
///
/// ```
/// use antiphon_tokens::TokenCounter;
/// use antiphon_tokens_tiktoken::{BpeOpenai, Encoding};
/// assert_eq!(BpeOpenai::new(Encoding::O200kBase).count("The quick brown fox"), 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BpeOpenai {
    encoding: Encoding,
}

impl BpeOpenai {
    /// A counter; special tokens are text.
    pub const fn new(encoding: Encoding) -> Self {
        Self { encoding }
    }

    fn tokenizer(self) -> &'static bpe_openai::Tokenizer {
        match self.encoding {
            Encoding::O200kBase | Encoding::O200kHarmony => bpe_openai::o200k_base(),
            Encoding::Cl100kBase => bpe_openai::cl100k_base(),
        }
    }
}

impl TokenCounter for BpeOpenai {
    fn count(&self, text: &str) -> u64 {
        self.tokenizer().count(text) as u64
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn count_up_to(&self, text: &str, limit: u64) -> Option<u64> {
        let (tokenizer, limit) = (self.tokenizer(), usize::try_from(limit).unwrap_or(usize::MAX));
        tokenizer.count_till_limit(&tokenizer.normalize(text), limit).map(|n| n as u64)
    }

    fn bounds(&self, text: &str) -> Bounds {
        Bounds::exact(self.count(text))
    }
}
