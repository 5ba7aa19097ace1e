//! Pictures and documents (contract 4.9).

use super::{Found, shown};
use crate::path::Path;
use crate::rules;
use crate::view::View;
use antiphon_model::{Base64Source, BlockRef, Content, ContentBlock, DocumentBlock, ImageType, Request, Source};

pub(super) fn check(request: &Request, view: &View<'_>, found: &mut Found<'_>) {
    let mut media = Media { images: Vec::new(), citable: Vec::new() };
    for placed in &view.blocks {
        media.block(placed.content, &|| placed.path());
    }
    let count = media.images.len();
    if count > found.profile.images {
        let most = found.profile.images;
        let path = media.images.get(most).map_or(Path::root(), |(_, path)| path.clone());
        found.add(&rules::TOO_MANY_IMAGES, path, format!("{count} pictures, at most {most} are allowed"));
    }
    let side = if count > found.profile.many_images { found.profile.image_side_many } else { found.profile.image_side };
    for (source, path) in &media.images {
        if let Source::Base64(source) = source {
            image(source, path, side, found);
        }
    }
    citations(request, &media, found);
    for placed in &view.blocks {
        if let BlockRef::Document(document) = placed.content {
            pdf(document, &placed.path(), found);
        }
    }
}

struct Media<'a> {
    images: Vec<(&'a Source, Path)>,
    /// Documents and search results: which kind, citable or not, where.
    citable: Vec<(bool, bool, Path)>,
}

impl<'a> Media<'a> {
    fn block(&mut self, block: BlockRef<'a>, path: &dyn Fn() -> Path) {
        let enabled = |block: BlockRef<'a>| {
            block.member("citations").and_then(|c| c.member("enabled")).and_then(antiphon_model::RawRef::as_bool)
                == Some(true)
        };
        match block {
            BlockRef::Image(image) => self.images.push((&image.source, path())),
            BlockRef::ToolResult(result) => {
                if let Some(Content::Blocks(blocks)) = &result.content {
                    self.list(blocks, &|| path().field("content"));
                }
            }
            BlockRef::Document(document) => {
                self.citable.push((true, enabled(block), path()));
                if let Source::Content(source) = &document.source
                    && let Content::Blocks(blocks) = &source.content
                {
                    self.list(blocks, &|| path().field("source").field("content"));
                }
            }
            BlockRef::SearchResult(_) => self.citable.push((false, enabled(block), path())),
            _ => {}
        }
    }

    fn list(&mut self, blocks: &'a [ContentBlock], path: &dyn Fn() -> Path) {
        for (i, block) in blocks.iter().enumerate() {
            self.block(BlockRef::from(block), &|| path().index(i));
        }
    }
}

fn image(source: &Base64Source, path: &Path, side: u64, found: &mut Found<'_>) {
    let at = || path.clone().field("source");
    let limit = found.profile.image_bytes;
    if source.data.len() as u64 > limit {
        found.add(
            &rules::IMAGE_TOO_LARGE,
            at().field("data"),
            format!("{} bytes of base64, over the limit of {limit}", source.data.len()),
        );
    }
    let declared = ImageType::from_media_type(&source.media_type);
    if declared.is_none() {
        found.add(
            &rules::IMAGE_MEDIA_TYPE,
            at().field("media_type"),
            format!("{} is none of image/jpeg, image/png, image/gif, image/webp", shown(&source.media_type)),
        );
    }
    let Some(actual) = source.sniff() else {
        if declared.is_some() {
            found.plain(&rules::IMAGE_UNDECODABLE, at().field("data"));
        }
        return;
    };
    if declared.is_some_and(|declared| declared != actual) {
        found.add(
            &rules::IMAGE_MEDIA_TYPE_MISMATCH,
            at().field("media_type"),
            format!("declared {}, but the bytes are {}", source.media_type, actual.media_type()),
        );
    }
    if let Some((width, height)) = source.dimensions()
        && (width > side || height > side)
    {
        found.add(
            &rules::IMAGE_DIMENSIONS,
            at().field("data"),
            format!("{width}x{height} pixels, at most {side} a side are allowed here"),
        );
    }
}

fn pdf(document: &DocumentBlock, path: &Path, found: &mut Found<'_>) {
    if let Source::Base64(source) = &document.source
        && source.media_type == "application/pdf"
        // Readers of PDF look for the mark in the first kilobyte.
        && !source.decode_prefix(1024).is_some_and(|head| head.windows(5).any(|w| w == b"%PDF-"))
    {
        found.plain(&rules::PDF_INVALID, path.clone().field("source").field("data"));
    }
}

fn citations(request: &Request, media: &Media<'_>, found: &mut Found<'_>) {
    for documents in [true, false] {
        let mut of_kind = media.citable.iter().filter(|(kind, ..)| *kind == documents);
        if let Some((_, first, _)) = of_kind.next()
            && let Some((_, _, path)) = of_kind.find(|(_, enabled, _)| enabled != first)
        {
            found.plain(&rules::CITATIONS_MIXED, path.clone());
        }
    }
    let format =
        request.param("output_config").and_then(|config| config.member("format")).is_some_and(|f| !f.is_null());
    if format && let Some((_, _, path)) = media.citable.iter().find(|(_, enabled, _)| *enabled) {
        found.plain(&rules::CITATIONS_WITH_FORMAT, path.clone());
    }
}
