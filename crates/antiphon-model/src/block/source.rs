use super::kinds::write_object;
use crate::content::Content;
use crate::extra::{Extra, Field, WriteJson};
use crate::json::{JsonKind, Pair, RawJson, RawRef, Scanner, Text};
use crate::object::{Object, only, scan_members};

/// Where the bytes of a picture or a document are.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Source {
    /// `base64`: in the message itself.
    Base64(Base64Source),
    /// `url`: fetched by the provider.
    Url(UrlSource),
    /// `file`: uploaded before.
    File(FileSource),
    /// `text`: plain text (documents only).
    Text(TextSource),
    /// `content`: a string or blocks (documents only).
    Content(ContentSource),
    /// Anything else, as written.
    Other(RawJson),
}

/// Bytes in base64.
#[derive(Debug, Clone, PartialEq)]
pub struct Base64Source {
    /// The declared media type.
    pub media_type: String,
    /// The base64 text. The API's size limit is on the length of this text, not of the bytes.
    pub data: String,
    /// Everything else.
    pub extra: Extra,
}

/// A URL.
#[derive(Debug, Clone, PartialEq)]
pub struct UrlSource {
    /// The address.
    pub url: String,
    /// Everything else.
    pub extra: Extra,
}

/// A file of the Files API.
#[derive(Debug, Clone, PartialEq)]
pub struct FileSource {
    /// Its id.
    pub file_id: String,
    /// Everything else.
    pub extra: Extra,
}

/// Plain text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextSource {
    /// `text/plain`
    pub media_type: String,
    /// The text.
    pub data: Text,
    /// Everything else.
    pub extra: Extra,
}

/// Blocks or a string as a document.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentSource {
    /// The content.
    pub content: Content,
    /// Everything else.
    pub extra: Extra,
}

impl Source {
    /// Reads a source; `None` if it is no object.
    pub(super) fn from_raw_at(raw: RawRef<'_>, depth: usize) -> Option<Self> {
        if raw.kind() != JsonKind::Object {
            return None;
        }
        let mut pairs = Vec::new();
        let mut scanner = Scanner::new(raw.get());
        scanner.eat(b'{');
        scan_members(&mut scanner, &mut pairs).ok()?;
        Some(Self::build(&pairs, depth).unwrap_or_else(|| Self::Other(raw.to_owned())))
    }

    fn build(pairs: &[Pair<'_>], depth: usize) -> Option<Self> {
        let kind = only(pairs, "type")?.str()?;
        Some(match &*kind {
            "base64" => {
                let object = Object::new(pairs, &["type", "media_type", "data"])?;
                Self::Base64(Base64Source {
                    media_type: object.string("media_type")?,
                    data: object.string("data")?,
                    extra: object.extra(),
                })
            }
            "url" => {
                let object = Object::new(pairs, &["type", "url"])?;
                Self::Url(UrlSource { url: object.string("url")?, extra: object.extra() })
            }
            "file" => {
                let object = Object::new(pairs, &["type", "file_id"])?;
                Self::File(FileSource { file_id: object.string("file_id")?, extra: object.extra() })
            }
            "text" => {
                let object = Object::new(pairs, &["type", "media_type", "data"])?;
                Self::Text(TextSource {
                    media_type: object.string("media_type")?,
                    data: object.text("data")?,
                    extra: object.extra(),
                })
            }
            "content" => {
                let object = Object::new(pairs, &["type", "content"])?;
                Self::Content(ContentSource {
                    content: Content::from_raw_at(object.raw("content")?, depth + 1)?,
                    extra: object.extra(),
                })
            }
            _ => return None,
        })
    }

    /// The source's `type`; empty if it has none.
    pub fn type_name(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Base64(_) => "base64".into(),
            Self::Url(_) => "url".into(),
            Self::File(_) => "file".into(),
            Self::Text(_) => "text".into(),
            Self::Content(_) => "content".into(),
            Self::Other(raw) => raw.member("type").and_then(RawRef::as_str).unwrap_or_default(),
        }
    }
}

impl WriteJson for Source {
    fn write(&self, out: &mut String) {
        match self {
            Self::Base64(s) => write_object(
                &s.extra,
                &[
                    ("type", Some(Field::Str("base64"))),
                    ("media_type", Some(Field::Str(&s.media_type))),
                    ("data", Some(Field::Str(&s.data))),
                ],
                out,
            ),
            Self::Url(s) => {
                write_object(&s.extra, &[("type", Some(Field::Str("url"))), ("url", Some(Field::Str(&s.url)))], out);
            }
            Self::File(s) => write_object(
                &s.extra,
                &[("type", Some(Field::Str("file"))), ("file_id", Some(Field::Str(&s.file_id)))],
                out,
            ),
            Self::Text(s) => write_object(
                &s.extra,
                &[
                    ("type", Some(Field::Str("text"))),
                    ("media_type", Some(Field::Str(&s.media_type))),
                    ("data", Some(Field::Value(&s.data))),
                ],
                out,
            ),
            Self::Content(s) => write_object(
                &s.extra,
                &[("type", Some(Field::Str("content"))), ("content", Some(Field::Value(&s.content)))],
                out,
            ),
            Self::Other(raw) => out.push_str(raw.get()),
        }
    }
}
