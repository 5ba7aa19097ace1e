//! Limits of the incremental parser.

/// Limits of a [`JsonStream`](crate::JsonStream).
///
/// ```
/// let options = antiphon_stream::JsonOptions::default().with_max_depth(16);
/// assert_eq!((options.max_depth, options.max_bytes), (16, 128 << 20));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct JsonOptions {
    /// How deep arrays and objects may nest. Default 128, as in serde_json; never more than 1024, whatever is asked
    /// for, because dropping a value goes as deep as the value does.
    pub max_depth: usize,
    /// How many bytes of text are taken. Default 128 MiB, four times the largest request the Messages API takes.
    pub max_bytes: usize,
}

impl Default for JsonOptions {
    fn default() -> Self {
        Self { max_depth: 128, max_bytes: 128 << 20 }
    }
}

impl JsonOptions {
    /// Sets [`max_depth`](Self::max_depth).
    #[must_use]
    pub fn with_max_depth(mut self, depth: usize) -> Self {
        self.max_depth = depth.min(1024);
        self
    }

    /// Sets [`max_bytes`](Self::max_bytes).
    #[must_use]
    pub fn with_max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }
}
