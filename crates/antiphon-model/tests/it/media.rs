//! Pictures from bytes and from files.

use antiphon_model::{
    ContentBlock, ImageBlock, ImageType, MediaError, Message, SAFE_IMAGE_LIMIT, Source, image_dimensions,
};

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
    bytes
}

fn gif() -> Vec<u8> {
    b"GIF89a\x05\0\x06\0\0\0\0".to_vec()
}

fn jpeg() -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".to_vec();
    bytes.extend(b"\xff\xc0\0\x11\x08\0\x07\0\x09\x03\x01\x11\0\x02\x11\x01\x03\x11\x01\xff\xd9");
    bytes
}

fn webp() -> Vec<u8> {
    let mut bytes = b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".to_vec();
    bytes.extend(b"\x0a\0\0\x0b\0\0");
    bytes.extend([0; 8]);
    bytes
}

fn source(block: &ContentBlock) -> (&str, &str) {
    match block {
        ContentBlock::Image(ImageBlock { source: Source::Base64(source), .. }) => (&source.media_type, &source.data),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_media_type_comes_from_the_content() {
    let all =
        [(png(1, 1), ImageType::Png), (gif(), ImageType::Gif), (jpeg(), ImageType::Jpeg), (webp(), ImageType::Webp)];
    for (bytes, kind) in all {
        assert_eq!(ImageType::sniff(&bytes), Some(kind));
        let block = ContentBlock::from(ImageBlock::from_bytes(&bytes).unwrap());
        assert_eq!(source(&block).0, kind.media_type());
        assert_eq!(ImageType::from_media_type(kind.media_type()), Some(kind));
        let ContentBlock::Image(ImageBlock { source: Source::Base64(source), .. }) = &block else { panic!() };
        assert_eq!(source.decode_prefix(usize::MAX / 8).unwrap(), bytes);
        assert_eq!(source.sniff(), Some(kind));
        assert!(source.dimensions().is_some(), "{kind:?}");
    }
    assert_eq!(image_dimensions(&png(640, 480)), Some((640, 480)));
    assert_eq!(image_dimensions(&jpeg()), Some((9, 7)));
    assert_eq!(image_dimensions(&webp()), Some((11, 12)));
    assert_eq!(image_dimensions(b"GIF89a"), None);
    assert_eq!(ImageType::from_media_type("image/bmp"), None);
}

#[test]
fn text_first_then_the_picture() {
    let message = Message::user_with_image_bytes("What is this?", &png(1, 1)).unwrap();
    let json = message.to_json();
    assert!(json.starts_with(
        r#"{"role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo"#
    ));
    assert_eq!(Message::from_json(&json).unwrap(), message);
}

#[test]
fn anything_else_is_refused_by_what_it_looks_like() {
    let bmp = b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0";
    for (bytes, word) in [
        (&bmp[..], "image/bmp"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b"<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>", ""),
        (b"<?xml version=\"1.0\"?><svg/>", "xml"),
        (b"", "an empty file"),
        (b"plain words", "unknown data"),
        (b"\x89PN", "unknown data"),
        (b"II*\0\x08\0\0\0\0\0\0\0\0\0\0\0", "image/tiff"),
    ] {
        match ImageBlock::from_bytes(bytes) {
            Err(error @ MediaError::Unsupported { .. }) => {
                let text = error.to_string();
                assert!(
                    text.starts_with("not a JPEG, PNG, GIF or WebP image") && text.contains(word),
                    "{word}: {text}"
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_limit_is_on_the_base64() {
    let mut bytes = png(1, 1);
    bytes.resize(300, 0);
    assert!(ImageBlock::from_bytes_within(&bytes, 400).is_ok());
    bytes.push(0);
    match ImageBlock::from_bytes_within(&bytes, 400) {
        Err(MediaError::TooLarge { size, limit }) => assert_eq!((size, limit), (404, 400)),
        other => panic!("{other:?}"),
    }
    assert!(matches!(ImageBlock::from_bytes_within(&png(1, 1), 0), Err(MediaError::TooLarge { .. })));
    bytes.resize(usize::try_from(SAFE_IMAGE_LIMIT).unwrap() / 4 * 3 + 1, 0);
    assert!(matches!(ImageBlock::from_bytes(&bytes), Err(MediaError::TooLarge { .. })));
}

#[test]
fn base64_that_is_none_is_not_decoded() {
    let Source::Base64(mut source) = Source::base64("image/png", "not base64!") else { panic!() };
    assert_eq!((source.decode_prefix(100), source.sniff(), source.dimensions()), (None, None, None));
    source.data = String::new();
    assert_eq!((source.decode_prefix(100), source.sniff()), (Some(Vec::new()), None));
    // Padding or not, and a prefix that ends within a group.
    for data in ["R0lGODlhBQAGAAAAAA==", "R0lGODlhBQAGAAAAAA"] {
        source.data = data.to_owned();
        assert_eq!(source.decode_prefix(1).unwrap(), b"GIF");
        assert_eq!(source.dimensions(), Some((5, 6)));
    }
}

#[cfg(feature = "fs")]
mod files {
    use super::*;
    use std::fs;

    #[test]
    fn the_name_of_a_file_says_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("photo.jpg");
        fs::write(&path, png(2, 3)).unwrap();
        let message = Message::user_with_image("look", &path).unwrap();
        let blocks = message.content().unwrap().clone().into_blocks();
        assert_eq!(blocks[0], ContentBlock::text("look"));
        assert_eq!(source(&blocks[1]).0, "image/png");
        for (name, bytes, found) in [("a.png", &b"%PDF-1.7\n"[..], "application/pdf"), ("b.png", b"", "an empty file")]
        {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let error = Message::user_with_image("look", &path).unwrap_err();
            assert!(error.to_string().contains(found), "{error}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_which_path() {
        let folder = tempfile::tempdir().unwrap();
        for (path, kind) in [
            (folder.path().join("missing.png"), std::io::ErrorKind::NotFound),
            (folder.path().to_owned(), std::io::ErrorKind::IsADirectory),
        ] {
            match ImageBlock::from_path(&path) {
                Err(error @ MediaError::Read { .. }) => {
                    assert!(error.to_string().contains(&path.display().to_string()));
                    let MediaError::Read { source, .. } = error else { unreachable!() };
                    assert_eq!(source.kind(), kind);
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_file_over_the_limit_is_not_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.png");
        fs::write(&path, png(1, 1)).unwrap();
        // Sparse: a terabyte that takes no room; reading it would take very long.
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        match ImageBlock::from_path(&path) {
            Err(MediaError::TooLarge { size, limit }) => {
                assert_eq!(limit, SAFE_IMAGE_LIMIT);
                assert_eq!(size, (1u64 << 40).div_ceil(3) * 4);
            }
            other => panic!("{other:?}"),
        }
        let path = folder.path().join("small.png");
        fs::write(&path, png(1, 1)).unwrap();
        assert!(matches!(ImageBlock::from_path_within(&path, 8), Err(MediaError::TooLarge { limit: 8, .. })));
        assert!(ImageBlock::from_path_within(&path, u64::MAX).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_loops_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, gif()).unwrap();
        let link = folder.path().join("link.txt");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(ImageBlock::from_path(&link).is_ok());
        let (one, two) = (folder.path().join("1"), folder.path().join("2"));
        std::os::unix::fs::symlink(&one, &two).unwrap();
        std::os::unix::fs::symlink(&two, &one).unwrap();
        assert!(matches!(ImageBlock::from_path(&one), Err(MediaError::Read { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_or_pipe_is_refused_at_once() {
        match ImageBlock::from_path("/dev/null") {
            Err(MediaError::Read { source, .. }) => assert_eq!(source.to_string(), "not a regular file"),
            other => panic!("{other:?}"),
        }
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        if std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
            assert!(matches!(ImageBlock::from_path(&pipe), Err(MediaError::Read { .. })));
        }
    }
}
