//! Contract 4.2: roles and order.

use super::{ERROR, WARNING, rules};

rules! { LIST;
    FIRST_MESSAGE_NOT_USER = "first-message-not-user", WARNING, Request {
        title: "the first message is not the user's",
        why: "The Claude API takes it since October 2024; Bedrock and strict clones refuse it.",
        errors: ["*first message must use the \"user\" role*"],
        refused: r#"[{"role":"assistant","content":"hi"},{"role":"user","content":"go on"}]"#,
        accepted: r#"[{"role":"user","content":"hi"}]"#,
        repair: Some("put a short user turn in front, where the profile demands it"),
        evidence: "4.2 first-user (documented)",
    }
    CONSECUTIVE_SAME_ROLE = "consecutive-same-role", WARNING, Request {
        title: "two neighbours have the same role",
        why: "The Claude API combines them; Bedrock and strict clones refuse them.",
        errors: ["*roles must alternate between \"user\" and \"assistant\"*"],
        refused: r#"[{"role":"user","content":"a"},{"role":"user","content":"b"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]"#,
        repair: Some("join them (done by merge)"),
        evidence: "4.2 roles-alternate (documented, live probe)",
    }
    ENDS_WITH_ASSISTANT = "ends-with-assistant", WARNING, Request {
        title: "the conversation ends with an assistant turn",
        why: "Claude 4.6 and later refuse to continue an assistant turn; older models take it as a prefill. A paused turn with a server tool at work is sent back as it is.",
        errors: ["This model does not support assistant message prefill*", "*The conversation must end with a user message*", "*Pre-filling the assistant response is not supported*"],
        refused: r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"Sure,"}]"#,
        accepted: r#"[{"role":"user","content":"hi"}]"#,
        repair: None,
        evidence: "4.2 no-prefill (documented)",
    }
    PREFILL_WITH_THINKING = "prefill-with-thinking", WARNING, Request {
        title: "an assistant turn to continue while thinking is on",
        why: "Older models refuse a prefill while thinking is enabled.",
        errors: [],
        refused: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"Sure,"}],"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000}"#,
        accepted: r#"{"messages":[{"role":"user","content":"a"}],"thinking":{"type":"enabled","budget_tokens":1024},"max_tokens":2000}"#,
        repair: None,
        evidence: "4.2 prefill-no-thinking (documented)",
    }
    TRAILING_WHITESPACE_FINAL_ASSISTANT = "trailing-whitespace-final-assistant", ERROR, Request {
        title: "the final assistant text ends in white space",
        why: "The last text of a final assistant message, which the model is to continue, may not end in white space.",
        errors: ["*final assistant content cannot end with trailing whitespace*"],
        refused: r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"Answer: "}]"#,
        accepted: r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"Answer:"}]"#,
        repair: Some("cut the white space off its end"),
        evidence: "4.2 final-assistant-no-trailing-ws (reported)",
    }
    SYSTEM_ROLE_UNSUPPORTED = "system-role-unsupported", WARNING, Request {
        title: "a system message in mid-conversation, which not every model takes",
        why: "Only some models take the role `system` among the messages (contract 2.3).",
        errors: ["*role 'system' is not supported on this model*", "*Unexpected role \"system\"*"],
        refused: r#"[{"role":"user","content":"a"},{"role":"system","content":"b"}]"#,
        accepted: r#"{"system":"b","messages":[{"role":"user","content":"a"}]}"#,
        repair: Some("turn it into a user turn, where the profile refuses it"),
        evidence: "4.2 system-role-model (live probe)",
    }
    SYSTEM_MESSAGE_FIRST = "system-message-first", ERROR, Request {
        title: "a system message stands first",
        why: "The initial system prompt belongs to the top-level `system` parameter. A directive without content (`content: []` with `output_config`) may stand anywhere.",
        errors: ["*use the top-level 'system' parameter for the initial system prompt*"],
        refused: r#"[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}]"#,
        accepted: r#"{"system":"be brief","messages":[{"role":"user","content":"hi"}]}"#,
        repair: Some("move it to the top-level `system`"),
        evidence: "4.2 system-role-not-first (reported, live probe)",
    }
    SYSTEM_MESSAGE_PLACEMENT = "system-message-placement", ERROR, Request {
        title: "a system message stands where none may",
        why: "It follows a user turn or an assistant turn that ends in a server tool result, and is last or followed by the assistant; several in a row count as one.",
        errors: [],
        refused: r#"[{"role":"user","content":"a"},{"role":"system","content":"s"},{"role":"user","content":"b"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"system","content":"s"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]"#,
        repair: Some("move it behind the user turns that follow it, or turn it into a user turn"),
        evidence: "4.2 system-role-placement (documented)",
    }
    SYSTEM_MESSAGE_CONTENT = "system-message-content", ERROR, Request {
        title: "something else than text in a system prompt or message",
        why: "The system prompt takes text blocks alone; a system message takes them and tool changes.",
        errors: ["system.*.type: Input should be 'text'"],
        refused: r#"{"system":[{"type":"image","source":{"type":"url","url":"https://e.x/i.png"}}],"messages":[{"role":"user","content":"a"}]}"#,
        accepted: r#"{"system":[{"type":"text","text":"be brief"}],"messages":[{"role":"user","content":"a"}]}"#,
        repair: Some("drop the block"),
        evidence: "4.2 system-role-content (live probe)",
    }
    SYSTEM_CLEAR_AT = "system-clear-at", WARNING, Request {
        title: "`clear_at` on a system message needs its beta",
        why: "Without the header of its beta the key is refused; with it, the message holds text only.",
        errors: ["*system.clear_at: Extra inputs are not permitted"],
        refused: r#"[{"role":"user","content":"a"},{"role":"system","content":"s","clear_at":"next_user_message"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"system","content":"s"}]"#,
        repair: None,
        evidence: "4.2 system-clear-at (clones)",
    }
}
