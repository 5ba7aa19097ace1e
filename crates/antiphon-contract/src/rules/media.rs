//! Contract 4.9: pictures and documents.

use super::{ERROR, rules};

rules! { LIST;
    IMAGE_TOO_LARGE = "image-too-large", ERROR, Request {
        title: "a picture is over the size limit",
        why: "The base64 text of a picture, not its bytes, is at most 5 MB (10 MB on the first-party API since 2026).",
        errors: ["*image exceeds * MB maximum: * bytes > * bytes", "*image exceeds * maximum*"],
        refused: "",
        accepted: r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAADklEQVR42mNoAAIGVAIAUBQIAW1N4EkAAAAASUVORK5CYII="}}]}]"#,
        repair: Some("put a note in its place"),
        evidence: "4.9 image-bytes (live probe)",
    }
    IMAGE_DIMENSIONS = "image-dimensions", ERROR, Request {
        title: "a picture has too many pixels on a side",
        why: "Each side has at most 8000 pixels; 2000 in a request of more than 20 pictures, which a growing history can reach.",
        errors: ["*At least one of the image dimensions exceed max allowed size: * pixels", "*max allowed size for many-image requests: * pixels", "*image dimensions exceed max allowed size*"],
        refused: r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAIygAAAAECAAAAACMmsGi"}}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAADklEQVR42mNoAAIGVAIAUBQIAW1N4EkAAAAASUVORK5CYII="}}]}]"#,
        repair: Some("put a note in its place"),
        evidence: "4.9 image-dims, image-dims-many (live probe, reported)",
    }
    TOO_MANY_IMAGES = "too-many-images", ERROR, Request {
        title: "more pictures than a request takes",
        why: "100 on models with a context of 200,000 tokens, 600 on others.",
        errors: ["*Too much media: * document pages + * images > *", "*too many images and documents: *"],
        refused: "",
        accepted: r#"[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://e.x/i.png"}}]}]"#,
        repair: Some("put notes in place of the oldest"),
        evidence: "4.9 image-count (reported)",
    }
    IMAGE_MEDIA_TYPE = "image-media-type", ERROR, Request {
        title: "a picture of a kind that the API does not take",
        why: "JPEG, PNG, GIF and WebP only.",
        errors: ["*media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'*", "You uploaded an unsupported image. Please make sure your image has of one the following formats*"],
        refused: r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/bmp","data":"Qk0eAAAAAAAAABoAAAAMAAAAAQABAAEAGAAAAP8A"}}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAADklEQVR42mNoAAIGVAIAUBQIAW1N4EkAAAAASUVORK5CYII="}}]}]"#,
        repair: Some("name the right type if the bytes are one of the four, else put a note in its place"),
        evidence: "4.9 image-media-type (reported, schema)",
    }
    IMAGE_MEDIA_TYPE_MISMATCH = "image-media-type-mismatch", ERROR, Request {
        title: "a picture's declared type is not what its bytes are",
        why: "The API compares the declared media type with the first bytes.",
        errors: ["*The image was specified using the * media type, but the image appears to be a * image*", "*Image does not match the provided media type *"],
        refused: r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAADklEQVR42mNoAAIGVAIAUBQIAW1N4EkAAAAASUVORK5CYII="}}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAADklEQVR42mNoAAIGVAIAUBQIAW1N4EkAAAAASUVORK5CYII="}}]}]"#,
        repair: Some("name the right type"),
        evidence: "4.9 image-media-match (reported)",
    }
    IMAGE_UNDECODABLE = "image-undecodable", ERROR, Request {
        title: "the bytes of a picture are no picture",
        why: "Bytes that are not base64, or none of the four kinds, cannot be processed. One such block breaks every later request.",
        errors: ["*Could not process image*"],
        refused: r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAADklEQVR42mNoAAIGVAIAUBQIAW1N4EkAAAAASUVORK5CYII="}}]}]"#,
        repair: Some("put a note in its place"),
        evidence: "4.9 image-decodable (reported)",
    }
    PDF_INVALID = "pdf-invalid", ERROR, Request {
        title: "a document that says it is a PDF and is not",
        why: "The bytes of a PDF begin with `%PDF-`. A broken one stays in the history and breaks every later request.",
        errors: ["*The PDF specified was not valid*", "*The PDF specified is password protected*", "*PDF cannot be empty*"],
        refused: r#"[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"PGh0bWw+"}}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjcKJeLjz9MK"}}]}]"#,
        repair: Some("put a note in its place"),
        evidence: "4.9 pdf-valid (reported, live probe)",
    }
    CITATIONS_MIXED = "citations-mixed", ERROR, Request {
        title: "some documents are citable and some are not",
        why: "All documents, and all search results, enable citations, or none does.",
        errors: [],
        refused: r#"[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"},"citations":{"enabled":true}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"b"}}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"},"citations":{"enabled":true}},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"b"},"citations":{"enabled":true}}]}]"#,
        repair: None,
        evidence: "4.9 citations-uniform (documented)",
    }
    CITATIONS_WITH_FORMAT = "citations-with-format", ERROR, Request {
        title: "citations together with a structured output format",
        why: "Structured output and citations exclude each other.",
        errors: [],
        refused: r#"{"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"},"citations":{"enabled":true}}]}]}"#,
        accepted: r#"{"messages":[{"role":"user","content":[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"},"citations":{"enabled":true}}]}]}"#,
        repair: None,
        evidence: "4.9 citations-no-format (documented)",
    }
    SEARCH_RESULT_EMPTY = "search-result-empty", ERROR, Request {
        title: "a search result without text",
        why: "Its content is at least one text block, and none is empty.",
        errors: [],
        refused: r#"[{"role":"user","content":[{"type":"search_result","source":"s","title":"t","content":[]},{"type":"text","text":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"f"}]},{"type":"text","text":"x"}]}]"#,
        repair: Some("drop the block"),
        evidence: "4.9 search-result-text (documented)",
    }
}
