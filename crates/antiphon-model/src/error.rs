//! What can go wrong with pictures.

/// Why a picture was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MediaError {
    /// The file could not be read.
    #[error("cannot read {path}")]
    Read {
        /// The path as it was given.
        path: String,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The bytes are not a picture that the API takes.
    #[error("not a JPEG, PNG, GIF or WebP image (looks like {found})")]
    Unsupported {
        /// What the bytes look like, by their first ones; `unknown data` if nothing fits, `an empty
        /// file` if there are none.
        found: String,
    },
    /// The picture is larger than the limit.
    #[error("image of {size} bytes of base64 exceeds the limit of {limit}")]
    TooLarge {
        /// Length of the picture in base64, in bytes: what the API measures (contract 4.9). When a file
        /// is over the limit it is not read to its end, and this is what its size would give.
        size: u64,
        /// The limit in the same unit.
        limit: u64,
    },
}
