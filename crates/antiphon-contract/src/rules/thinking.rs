//! Contract 4.7: thinking.

use super::{ERROR, WARNING, rules};

rules! { LIST;
    THINKING_SIGNATURE_MISSING = "thinking-signature-missing", ERROR, Request {
        title: "thinking without its signature",
        why: "Only signed thinking goes back. Accumulators that drop the signature delta, and other models' reasoning, leave blocks without one.",
        errors: ["*signature: Field required"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        repair: Some("drop the block"),
        evidence: "4.7 thinking-signature-present (live probe)",
    }
    THINKING_TEXT_EMPTY = "thinking-text-empty", WARNING, Request {
        title: "signed thinking without text",
        why: "It comes so when the display is omitted, and goes back by one probe; two reports say that some models refuse it. Drop it when a 400 says so.",
        errors: ["*each thinking block must contain thinking"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        repair: None,
        evidence: "4.7 thinking-text-present (live probe, reported; conflict)",
    }
    THINKING_NOT_FIRST = "thinking-not-first", ERROR, Request {
        title: "an assistant message has thinking and does not begin with it",
        why: "If a message has thinking at all, it begins with it; later ones may interleave. Only what the provider itself puts in front (server tools at work, a compaction, a fallback) may stand before it.",
        errors: ["*If an assistant message contains any thinking blocks, the first block must be `thinking` or `redacted_thinking`*"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x"},{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        repair: Some("drop the thinking of that message"),
        evidence: "4.7 thinking-first-if-any (reported)",
    }
    THINKING_LAST = "thinking-last", ERROR, Request {
        title: "an assistant message ends in thinking",
        why: "A finished message does not end in thinking; aborted streams leave such messages.",
        errors: ["*The final block in an assistant message cannot be `thinking`*", "*of type 'reasoning' was provided without its required following item*"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"w"}]},{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        repair: Some("drop the thinking of that message"),
        evidence: "4.7 thinking-not-last (reported)",
    }
    THINKING_MISSING_IN_LOOP = "thinking-missing-in-loop", ERROR, Request {
        title: "manual thinking is on and the current tool loop does not begin with thinking",
        why: "With `thinking.type` `enabled`, the last assistant message begins with thinking while its tools are being answered. Judged on requests that enable it.",
        errors: ["*Expected `thinking` or `redacted_thinking`, but found `*`*", "*a final `assistant` message must start with a thinking block*"],
        refused: r#"{"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]}"#,
        accepted: r#"{"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]}"#,
        repair: None,
        evidence: "4.7 thinking-starts-final-assistant (reported, documented)",
    }
    THINKING_WHEN_DISABLED = "thinking-when-disabled", ERROR, Request {
        title: "thinking is off and the final assistant message has some",
        why: "With `thinking.type` `disabled`, an assistant message in final position has no thinking.",
        errors: ["When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`*"],
        refused: r#"{"thinking":{"type":"disabled"},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x"}]}]}"#,
        accepted: r#"{"thinking":{"type":"disabled"},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x"}]},{"role":"user","content":"b"}]}"#,
        repair: Some("drop the thinking of that message"),
        evidence: "4.7 thinking-disabled-final (reported)",
    }
    THINKING_CACHE_CONTROL = "thinking-cache-control", ERROR, Request {
        title: "a cache mark on thinking",
        why: "Thinking blocks take no `cache_control`.",
        errors: ["*thinking.cache_control: Extra inputs are not permitted"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln","cache_control":{"type":"ephemeral"}},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":"a"}]"#,
        repair: Some("take the mark off"),
        evidence: "4.7 thinking-no-cache-control (schema)",
    }
    THINKING_BUDGET = "thinking-budget", ERROR, Request {
        title: "the thinking budget is out of range",
        why: "It is at least 1024, and below `max_tokens` unless thinking interleaves with tools.",
        errors: ["thinking.enabled.budget_tokens: Input should be greater than or equal to 1024", "*`max_tokens` must be greater than `thinking.budget_tokens`*", "*max_tokens must be greater than thinking.budget_tokens*"],
        refused: r#"{"thinking":{"type":"enabled","budget_tokens":500},"max_tokens":2000,"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000,"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.7 thinking-budget (recorded)",
    }
    MANUAL_THINKING_UNSUPPORTED = "manual-thinking-unsupported", None, Request {
        title: "the model does not take manual thinking",
        why: "From 4.7 on thinking is adaptive. Judged under the profile of a known model.",
        errors: ["*\"thinking.type.enabled\" is not supported for this model*", "*\"thinking.type.disabled\" is not supported for this model*"],
        refused: r#"{"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000,"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"thinking":{"type":"adaptive"},"max_tokens":2000,"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.7 thinking-mode (documented)",
    }
    ADAPTIVE_THINKING_UNSUPPORTED = "adaptive-thinking-unsupported", None, Request {
        title: "the model does not take adaptive thinking",
        why: "Models up to 4.5 take `enabled` with a budget. Judged under the profile of a known model.",
        errors: ["*adaptive thinking is not supported on this model*"],
        refused: r#"{"thinking":{"type":"adaptive"},"max_tokens":2000,"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000,"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.7 thinking-mode (documented)",
    }
    THINKING_SAMPLING = "thinking-sampling", ERROR, Request {
        title: "a temperature other than 1 while thinking is on",
        why: "With manual thinking `temperature` may only be 1.",
        errors: ["*`temperature` may only be set to 1 when thinking is enabled*"],
        refused: r#"{"temperature":0.2,"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000,"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"temperature":1.0,"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000,"messages":[{"role":"user","content":"a"}]}"#,
        repair: None,
        evidence: "4.7 thinking-sampling (reported)",
    }
}
