//! Contract 4.4: which block in which role.

use super::{ERROR, rules};

rules! { LIST;
    IMAGE_IN_ASSISTANT = "image-in-assistant", ERROR, Request {
        title: "a picture or document in an assistant turn",
        why: "Images, documents and search results stand in user turns and tool results only.",
        errors: ["*'image' blocks are not permitted within assistant turns", "*'document' blocks are not permitted within assistant turns"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"image","source":{"type":"url","url":"https://e.x/i.png"}}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://e.x/i.png"}}]}]"#,
        repair: Some("move it into a user turn behind"),
        evidence: "4.4 image-user-only (live probe)",
    }
    CONTAINER_UPLOAD_IN_ASSISTANT = "container-upload-in-assistant", ERROR, Request {
        title: "a container upload in an assistant turn",
        why: "The API may answer with one, and refuses it when it is sent back: record it, never replay it.",
        errors: ["*'container_upload' blocks are not permitted within assistant turns"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"container_upload","file_id":"file_1"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":[{"type":"container_upload","file_id":"file_1"},{"type":"text","text":"x"}]}]"#,
        repair: Some("drop it from the request"),
        evidence: "4.4 container-upload-user-only (live probe)",
    }
    TOOL_RESULT_NOT_IN_USER = "tool-result-not-in-user", ERROR, Request {
        title: "a tool result outside a user turn",
        why: "Results of client tools stand in user turns.",
        errors: ["*`tool_result` blocks can only be in `user` messages"],
        refused: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]},{"role":"user","content":"a"}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        repair: Some("move it to where its call wants it"),
        evidence: "4.4 tool-result-user-only (live probe)",
    }
    TOOL_USE_NOT_IN_ASSISTANT = "tool-use-not-in-assistant", ERROR, Request {
        title: "a tool call outside an assistant turn",
        why: "Calls are the model's.",
        errors: ["*`tool_use` blocks can only be in `assistant` messages"],
        refused: r#"[{"role":"user","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"x"}]}]"#,
        repair: Some("move it into an assistant turn of its own"),
        evidence: "4.4 tool-use-assistant-only (reported, clones)",
    }
    THINKING_NOT_IN_ASSISTANT = "thinking-not-in-assistant", ERROR, Request {
        title: "thinking outside an assistant turn",
        why: "Thinking is the model's.",
        errors: ["*thinking blocks may only be in `assistant` messages"],
        refused: r#"[{"role":"user","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"x"}]},{"role":"user","content":"b"}]"#,
        repair: Some("drop the block"),
        evidence: "4.4 thinking-assistant-only (clones)",
    }
    TOOL_CHANGE_NOT_IN_SYSTEM = "tool-change-not-in-system", ERROR, Request {
        title: "a tool change outside a system message",
        why: "`tool_addition` and `tool_removal` stand in messages of role `system`.",
        errors: ["*'tool_addition'/'tool_removal' blocks are only permitted within `role: \"system\"` messages"],
        refused: r#"[{"role":"user","content":[{"type":"tool_removal","tool":{"type":"tool_reference","name":"f"}},{"type":"text","text":"x"}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"system","content":[{"type":"tool_removal","tool":{"type":"tool_reference","name":"f"}}]}]"#,
        repair: Some("drop the block"),
        evidence: "4.4 tool-changes-system-only (live probe)",
    }
    SERVER_BLOCK_NOT_IN_ASSISTANT = "server-block-not-in-assistant", ERROR, Request {
        title: "a server tool block outside an assistant turn",
        why: "Server tool calls and their results are both the assistant's.",
        errors: [],
        refused: r#"[{"role":"user","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}]"#,
        accepted: r#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"text","text":"x"}]},{"role":"user","content":"b"}]"#,
        repair: Some("move it into an assistant turn of its own"),
        evidence: "4.4 server-blocks-assistant-only (documented, schema)",
    }
}
