//! Pictures: what their bytes say, whatever their label says.

use crate::block::{Base64Source, ImageBlock, Source};
use crate::error::MediaError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The most base64 text of one picture that every host takes, in bytes: 5 MB (contract 4.9; the
/// first-party API takes 10 MB since 2026, Bedrock and Google Cloud 5).
pub const SAFE_IMAGE_LIMIT: u64 = 5 * 1024 * 1024;

/// Bytes that tell what a file is.
#[cfg(feature = "fs")]
const HEADER: u64 = 4096;

/// A kind of picture that the API takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageType {
    /// `image/jpeg`
    Jpeg,
    /// `image/png`
    Png,
    /// `image/gif`
    Gif,
    /// `image/webp`
    Webp,
}

impl ImageType {
    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    /// The kind by its media type.
    pub fn from_media_type(name: &str) -> Option<Self> {
        [Self::Jpeg, Self::Png, Self::Gif, Self::Webp].into_iter().find(|t| t.media_type() == name)
    }

    /// The kind by the first bytes of a file.
    ///
    /// ```
    /// use antiphon_model::ImageType;
    /// assert_eq!(ImageType::sniff(b"GIF89a\x01\x00"), Some(ImageType::Gif));
    /// assert_eq!(ImageType::sniff(b"%PDF-1.7"), None);
    /// ```
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        Self::from_media_type(infer::get(bytes)?.mime_type())
    }
}

/// Width and height in pixels, from the header of a picture; `None` if it cannot be read.
///
/// ```
/// assert_eq!(antiphon_model::image_dimensions(b"GIF89a\x20\x03\x58\x02\0\0\0"), Some((800, 600)));
/// ```
pub fn image_dimensions(bytes: &[u8]) -> Option<(u64, u64)> {
    let size = imagesize::blob_size(bytes).ok()?;
    Some((size.width as u64, size.height as u64))
}

impl ImageBlock {
    /// A picture from its bytes, at most [`SAFE_IMAGE_LIMIT`] of base64.
    ///
    /// ```
    /// use antiphon_model::{ImageBlock, MediaError};
    /// assert!(ImageBlock::from_bytes(b"GIF89a\x01\x00\x01\x00").is_ok());
    /// assert!(matches!(ImageBlock::from_bytes(b"BM"), Err(MediaError::Unsupported { .. })));
    /// ```
    ///
    /// # Errors
    /// [`MediaError::Unsupported`] with what the bytes look like, [`MediaError::TooLarge`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MediaError> {
        Self::from_bytes_within(bytes, SAFE_IMAGE_LIMIT)
    }

    /// A picture from its bytes, at most `limit` bytes of base64.
    ///
    /// # Errors
    /// [`MediaError::Unsupported`], [`MediaError::TooLarge`].
    pub fn from_bytes_within(bytes: &[u8], limit: u64) -> Result<Self, MediaError> {
        let Some(kind) = ImageType::sniff(bytes) else {
            let unknown = if bytes.is_empty() { "an empty file" } else { "unknown data" };
            let found = infer::get(bytes).map_or(unknown, |kind| kind.mime_type());
            return Err(MediaError::Unsupported { found: found.to_owned() });
        };
        let size = base64_length(bytes.len() as u64);
        if size > limit {
            return Err(MediaError::TooLarge { size, limit });
        }
        Ok(Self::new(Source::base64(kind.media_type(), STANDARD.encode(bytes))))
    }

    /// A picture from a file, at most [`SAFE_IMAGE_LIMIT`] of base64. Links are followed; what is no
    /// regular file is refused. Never reads more than the limit.
    ///
    /// # Errors
    /// [`MediaError::Read`] with the path, and those of [`from_bytes`](Self::from_bytes).
    #[cfg(feature = "fs")]
    pub fn from_path(path: impl AsRef<std::path::Path>) -> Result<Self, MediaError> {
        Self::from_path_within(path, SAFE_IMAGE_LIMIT)
    }

    /// A picture from a file, at most `limit` bytes of base64.
    ///
    /// # Errors
    /// [`MediaError::Read`], [`MediaError::Unsupported`], [`MediaError::TooLarge`].
    #[cfg(feature = "fs")]
    pub fn from_path_within(path: impl AsRef<std::path::Path>, limit: u64) -> Result<Self, MediaError> {
        use std::io::Read;
        let path = path.as_ref();
        let failed = |source| MediaError::Read { path: path.display().to_string(), source };
        // Before it is opened: to open a pipe would wait for somebody who writes.
        let kind = std::fs::metadata(path).map_err(failed)?.file_type();
        if kind.is_dir() {
            return Err(failed(std::io::ErrorKind::IsADirectory.into()));
        }
        if !kind.is_file() {
            return Err(failed(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file")));
        }
        let file = std::fs::File::open(path).map_err(failed)?;
        let on_disk = file.metadata().map_err(failed)?;
        let mut bytes = Vec::new();
        // One byte more than fits tells that it does not; the first ones tell what it is in any case.
        file.take((limit / 4 * 3 + 1).max(HEADER)).read_to_end(&mut bytes).map_err(failed)?;
        let size = base64_length(on_disk.len().max(bytes.len() as u64));
        if size > limit && ImageType::sniff(&bytes).is_some() {
            return Err(MediaError::TooLarge { size, limit });
        }
        Self::from_bytes_within(&bytes, limit)
    }
}

/// How long `bytes` bytes are in base64, padding included.
fn base64_length(bytes: u64) -> u64 {
    bytes.div_ceil(3).saturating_mul(4)
}

impl Base64Source {
    /// Decodes at most the first `limit` bytes of the data. `None` if it is not base64 that far.
    pub fn decode_prefix(&self, limit: usize) -> Option<Vec<u8>> {
        // Whole groups of four characters give whole groups of three bytes.
        let characters = limit.div_ceil(3).saturating_mul(4);
        let data = self.data.trim_end_matches('=').as_bytes();
        let head = data.get(..characters).unwrap_or(data);
        // Two forms of padding would otherwise be two results.
        base64::engine::general_purpose::STANDARD_NO_PAD.decode(head).ok()
    }

    /// The kind of picture by its bytes; `None` if they are none that the API takes.
    pub fn sniff(&self) -> Option<ImageType> {
        ImageType::sniff(&self.decode_prefix(64)?)
    }

    /// Width and height in pixels from the header. Reads the start of the data, and all of it only when
    /// the header lies behind a large preamble (JPEG with a thumbnail).
    pub fn dimensions(&self) -> Option<(u64, u64)> {
        const HEAD: usize = 64 * 1024;
        let head = self.decode_prefix(HEAD)?;
        image_dimensions(&head).or_else(|| {
            if head.len() < HEAD {
                return None;
            }
            image_dimensions(&self.decode_prefix(self.data.len())?)
        })
    }
}
