//! Contract 4.8: cache marks.

use super::{ERROR, rules};

rules! { LIST;
    TOO_MANY_CACHE_CONTROL = "too-many-cache-control", ERROR, Request {
        title: "more than four cache marks",
        why: "Marks in tools, system prompt and messages count together, the automatic one of the request too.",
        errors: ["*A maximum of 4 blocks with cache_control may be provided. Found *"],
        refused: r#"[{"role":"user","content":[{"type":"text","text":"1","cache_control":{"type":"ephemeral"}},{"type":"text","text":"2","cache_control":{"type":"ephemeral"}},{"type":"text","text":"3","cache_control":{"type":"ephemeral"}},{"type":"text","text":"4","cache_control":{"type":"ephemeral"}},{"type":"text","text":"5","cache_control":{"type":"ephemeral"}}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"text","text":"1","cache_control":{"type":"ephemeral"}},{"type":"text","text":"5","cache_control":{"type":"ephemeral"}}]}]"#,
        repair: Some("take the earliest marks off the messages; the last one stays"),
        evidence: "4.8 cache-max-4 (reported, documented)",
    }
    CACHE_CONTROL_ON_EMPTY_TEXT = "cache-control-on-empty-text", ERROR, Request {
        title: "a cache mark on an empty text",
        why: "An empty text block takes no mark (and is refused by itself).",
        errors: ["*cache_control cannot be set for empty text blocks"],
        refused: r#"[{"role":"user","content":[{"type":"text","text":"","cache_control":{"type":"ephemeral"}},{"type":"text","text":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]}]"#,
        repair: Some("drop the block"),
        evidence: "4.8 cache-not-empty-text (reported)",
    }
    CACHE_TTL_ORDER = "cache-ttl-order", ERROR, Request {
        title: "a cache mark of an hour behind one of five minutes",
        why: "Longer marks come first, in the order tools, system, messages.",
        errors: ["*a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block*"],
        refused: r#"{"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}"#,
        accepted: r#"{"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}}],"messages":[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]}]}"#,
        repair: Some("shorten the later mark to five minutes"),
        evidence: "4.8 cache-ttl-order (reported)",
    }
    INVALID_CACHE_CONTROL = "invalid-cache-control", ERROR, Request {
        title: "a cache mark of another form",
        why: "A mark is `{\"type\":\"ephemeral\"}` with `ttl` `5m` or `1h`, and nothing else.",
        errors: ["*cache_control.ephemeral.ttl: Input should be '5m' or '1h'*", "*cache_control.ephemeral.*: Extra inputs are not permitted", "*cache_control: Input tag*"],
        refused: r#"[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"2h"}}]}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]"#,
        repair: Some("make it a plain mark of five minutes"),
        evidence: "4.8 cache-ttl-value (schema)",
    }
    CACHE_AUTO_SLOT = "cache-auto-slot", ERROR, Request {
        title: "no free slot for the automatic cache mark",
        why: "A top-level `cache_control` needs one of the four slots, unless the last block has a mark already; that one must have the same ttl.",
        errors: [],
        refused: r#"{"cache_control":{"type":"ephemeral"},"messages":[{"role":"user","content":[{"type":"text","text":"1","cache_control":{"type":"ephemeral"}},{"type":"text","text":"2","cache_control":{"type":"ephemeral"}},{"type":"text","text":"3","cache_control":{"type":"ephemeral"}},{"type":"text","text":"4","cache_control":{"type":"ephemeral"}},{"type":"text","text":"5"}]}]}"#,
        accepted: r#"{"cache_control":{"type":"ephemeral"},"messages":[{"role":"user","content":[{"type":"text","text":"1","cache_control":{"type":"ephemeral"}},{"type":"text","text":"5"}]}]}"#,
        repair: Some("take the earliest mark off the messages"),
        evidence: "4.8 cache-auto-slot (documented)",
    }
}
