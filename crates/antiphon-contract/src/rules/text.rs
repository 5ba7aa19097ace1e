//! Contract 4.3: empty and blank text; and text worth a look.

use super::{ERROR, WARNING, rules};

rules! { LIST;
    EMPTY_MESSAGE = "empty-message", ERROR, Request {
        title: "a message without content",
        why: "Content may not be an empty string or list, but for a final assistant message.",
        errors: ["*all messages must have non-empty content except for the optional final assistant message*"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[]},{"role":"user","content":"b"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[]}]"#,
        repair: Some("drop the message"),
        evidence: "4.3 content-non-empty (reported, recorded)",
    }
    EMPTY_TEXT_BLOCK = "empty-text-block", ERROR, Request {
        title: "a text block without text",
        why: "No text block may be empty, anywhere: in messages, tool results, the system prompt.",
        errors: ["*text content blocks must be non-empty"],
        refused: r#"[{"role":"user","content":[{"type":"text","text":""},{"type":"text","text":"hi"}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"text","text":"hi"}]}]"#,
        repair: Some("drop the block"),
        evidence: "4.3 text-non-empty (reported, live probe)",
    }
    WHITESPACE_TEXT_BLOCK = "whitespace-text-block", ERROR, Request {
        title: "a text block of white space alone",
        why: "A message whose only text is white space is refused; next to other text it passed in one probe and failed in one report, so none is the safe rule.",
        errors: ["*text content blocks must contain non-whitespace text"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":" "},{"role":"user","content":"b"}]"#,
        accepted: r#"[{"role":"user","content":" a "}]"#,
        repair: Some("drop the block"),
        evidence: "4.3 text-non-whitespace (reported, live probe)",
    }
    EMPTY_SYSTEM = "empty-system", ERROR, Request {
        title: "an empty text block in the system prompt",
        why: "No text block of the system prompt may be empty or blank.",
        errors: ["system: text content blocks must be non-empty", "system: text content blocks must contain non-whitespace text"],
        refused: r#"{"system":[{"type":"text","text":""}],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"system":"be brief","messages":[{"role":"user","content":"a"}]}"#,
        repair: Some("drop the block"),
        evidence: "4.3 empty-string-system (reported)",
    }
    EMPTY_SYSTEM_STRING = "empty-system-string", WARNING, Request {
        title: "the system prompt is an empty string",
        why: "Reports call it refused, a recorded request of 2025 passed. Leave the key out.",
        errors: [],
        refused: r#"{"system":"","messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"messages":[{"role":"user","content":"a"}]}"#,
        repair: Some("leave the system prompt out"),
        evidence: "4.3 empty-string-system (reported; a recording against it)",
    }
    NUL_BYTE = "nul-byte", WARNING, Request {
        title: "a NUL character in text",
        why: "The API takes it, and databases, terminals and other tools on the way do not. It is a sign of binary output.",
        errors: [],
        refused: r#"[{"role":"user","content":"a\u0000b"}]"#,
        accepted: r#"[{"role":"user","content":"ab"}]"#,
        repair: None,
        evidence: "DESIGN 4 (a lint)",
    }
    ANSI_ESCAPE = "ansi-escape", WARNING, Request {
        title: "terminal escape sequences in text",
        why: "Colours and cursor movements cost tokens and say nothing to the model.",
        errors: [],
        refused: r#"[{"role":"user","content":"\u001b[32mok\u001b[0m"}]"#,
        accepted: r#"[{"role":"user","content":"ok"}]"#,
        repair: None,
        evidence: "DESIGN 4 (a lint)",
    }
    BASE64_IN_TEXT = "base64-in-text", WARNING, Request {
        title: "a long run of base64 in text",
        why: "Binary data as text costs about a token for 1.5 characters and cannot be read. A picture belongs in an image block.",
        errors: [],
        refused: r#"[{"role":"user","content":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAADklEQVR42mNoAAIGVAIAUBQIAW1N4EkAAAAASUVORK5CYII="}]"#,
        accepted: r#"[{"role":"user","content":"sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}]"#,
        repair: None,
        evidence: "DESIGN 4 (a lint)",
    }
}
