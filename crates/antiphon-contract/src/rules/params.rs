//! Contract 4.10 and 4.11: parameters, compaction, context editing.

use super::{ERROR, rules};

rules! { LIST;
    STOP_SEQUENCE_BLANK = "stop-sequence-blank", ERROR, Request {
        title: "an empty or blank stop sequence",
        why: "Stop sequences hold something that is not white space.",
        errors: ["stop_sequences: each stop sequence must contain non-whitespace*"],
        refused: r#"{"stop_sequences":[""],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"stop_sequences":["END"],"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.10 stop-sequences (older reports)",
    }
    OUTPUT_FORMAT_TYPE = "output-format-type", ERROR, Request {
        title: "an output format other than `json_schema`",
        why: "`output_config.format.type` is `json_schema`.",
        errors: ["output_config.format.type: Input should be 'json_schema'"],
        refused: r#"{"output_config":{"format":{"type":"json_object"}},"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.10 format-json-schema (live probe)",
    }
    SAMPLING_UNSUPPORTED = "sampling-unsupported", None, Request {
        title: "the model does not take sampling parameters",
        why: "After Opus 4.6 a `temperature`, `top_p` or `top_k` other than the default is refused. Judged under the profile of a known model.",
        errors: [],
        refused: r#"{"temperature":0.7,"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.10 sampling-new-models (documented)",
    }
    COMPACTION_EMPTY = "compaction-empty", ERROR, Request {
        title: "a compaction block with an empty summary",
        why: "Its content is a non-empty string, or null for a compaction that failed.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"compaction","content":""},{"type":"text","text":"x"}]},{"role":"user","content":"b"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"compaction","content":"so far"},{"type":"text","text":"x"}]},{"role":"user","content":"b"}]"#,
        repair: Some("drop the block"),
        evidence: "4.11 compaction-content (schema text)",
    }
    CONTEXT_EDIT_ORDER = "context-edit-order", ERROR, Request {
        title: "`clear_thinking` does not come first among the context edits",
        why: "In `context_management.edits` it stands before the others.",
        errors: [],
        refused: r#"{"context_management":{"edits":[{"type":"clear_tool_uses_20250919"},{"type":"clear_thinking_20251015"}]},"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"context_management":{"edits":[{"type":"clear_thinking_20251015"},{"type":"clear_tool_uses_20250919"}]},"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.11 context-edit-order (documented)",
    }
}
