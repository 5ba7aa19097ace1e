//! Faults that the readers of session files and streams find (contract 3 and 5; DESIGN 4).

use super::{ERROR, rules};

rules! { LIST;
    INVALID_UTF8 = "invalid-utf8", ERROR, Reader {
        title: "bytes that are not UTF-8",
        why: "JSON is UTF-8. The broken bytes read as U+FFFD, and everything around them is kept.",
        errors: [],
        refused: "",
        accepted: "",
        repair: Some("write U+FFFD in their place"),
        evidence: "RFC 8259 section 8.1",
    }
    JSONL_BAD_LINE = "jsonl-bad-line", ERROR, Reader {
        title: "a line of a session file is not exactly one whole record",
        why: "An unclean stop, two writers, a bad disk. What is whole in it is kept, the rest reported.",
        errors: [],
        refused: "",
        accepted: "",
        repair: Some("write the records that could be saved, one a line"),
        evidence: "5.1 (reported)",
    }
    JSONL_TORN_TAIL = "jsonl-torn-tail", ERROR, Reader {
        title: "the last line of a session file is cut off",
        why: "The writer was stopped in mid-record. Everything before it is whole.",
        errors: [],
        refused: "",
        accepted: "",
        repair: Some("leave the cut line out"),
        evidence: "5.1 (reported)",
    }
    STREAM_INCOMPLETE = "stream-incomplete", ERROR, Stream {
        title: "the stream ended before the message did",
        why: "No message_stop and no stop reason came.",
        errors: [],
        refused: "",
        accepted: "",
        repair: Some("close the open blocks; leave out what cannot be sent"),
        evidence: "3.6 (source)",
    }
    STREAM_ERROR = "stream-error", ERROR, Stream {
        title: "the server broke the stream off with an error",
        why: "An `error` event may come after HTTP 200; it ends the stream.",
        errors: ["Overloaded", "overloaded_error"],
        refused: "",
        accepted: "",
        repair: Some("close the open blocks; leave out what cannot be sent"),
        evidence: "3.1 (documented)",
    }
    TOOL_INPUT_INCOMPLETE = "tool-input-incomplete", ERROR, Stream {
        title: "a tool call's input did not arrive whole",
        why: "`max_tokens` or a broken stream cut it. Such a call must never run.",
        errors: [],
        refused: "",
        accepted: "",
        repair: Some("leave the call out"),
        evidence: "3.4 (recorded)",
    }
}
