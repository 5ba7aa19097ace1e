//! Usage anchoring: what it takes from reports and what it survives.

use antiphon_model::Message;
use antiphon_tokens::{Costs, Family, Heuristic, Meter, UsageAnchor};

const HIDDEN: u64 = 15_000;

/// A session whose true sizes are 1.3 times the estimates plus a hidden prompt.
struct Session {
    anchor: UsageAnchor,
    size: f64,
    turn: u32,
}

impl Session {
    fn new() -> Self {
        Self { anchor: UsageAnchor::new(), size: HIDDEN as f64, turn: 0 }
    }

    fn push(&mut self, meter: &Meter<'_>, message: &Message) {
        self.size += meter.message(message).total().likely as f64 * 1.3;
        self.anchor.push(meter, message);
    }

    fn turn(&mut self, meter: &Meter<'_>) {
        self.turn += 1;
        let text = format!(
            "Turn {}: {}",
            self.turn,
            "some more of the log, line by line; ".repeat(20 + self.turn as usize % 7)
        );
        self.push(meter, &Message::user(text));
        let (read, rest) = (self.size as u64 / 2, self.size as u64 - self.size as u64 / 2);
        // Two lines of one answer: its usage counts once.
        for part in ["Let me look.", "Here is what I found in it."] {
            let json = format!(
                r#"{{"role":"assistant","id":"msg_{}","model":"claude-sonnet-4-5","content":[{{"type":"text","text":"{part}"}}],
                "usage":{{"input_tokens":{rest},"cache_read_input_tokens":{read},"output_tokens":1}}}}"#,
                self.turn
            );
            self.push(meter, &Message::from_json(&json).unwrap());
        }
    }

    fn error(&self) -> f64 {
        (self.anchor.estimate().likely as f64 / self.size - 1.0).abs()
    }
}

fn with_meter(work: impl FnOnce(&Meter<'_>)) {
    let counter = Heuristic::new(Family::Claude4_5);
    work(&Meter::new(&counter, Costs::of_model("claude-sonnet-4-5")));
}

#[test]
fn the_ratio_is_learned_and_the_band_shrinks() {
    with_meter(|meter| {
        let mut session = Session::new();
        session.turn(meter);
        session.push(meter, &Message::user("x ".repeat(400)));
        let first = session.anchor.estimate();
        for _ in 0..12 {
            session.turn(meter);
        }
        session.push(meter, &Message::user("x ".repeat(400)));
        let last = session.anchor.estimate();
        assert!(last.high - last.low < first.high - first.low, "{first} {last}");
        assert!((1.2..=1.35).contains(&session.anchor.ratio()), "{}", session.anchor.ratio());
        assert!(session.error() < 0.005, "{}", session.error());
    });
}

#[test]
fn compaction_keeps_what_was_learned() {
    with_meter(|meter| {
        let mut session = Session::new();
        for _ in 0..10 {
            session.turn(meter);
        }
        let summary = Message::user("The summary of it all. ".repeat(50));
        session.size = HIDDEN as f64 + meter.message(&summary).total().likely as f64 * 1.3;
        session.anchor.replace(meter, std::slice::from_ref(&summary));
        assert!(!session.anchor.is_anchored());
        assert!(session.error() < 0.05, "{} {}", session.anchor.estimate(), session.size);
        session.turn(meter);
        assert!(session.anchor.is_anchored() && session.error() < 0.005, "{}", session.error());
    });
}

#[test]
fn a_shrunken_prompt_and_another_model_teach_no_ratio() {
    with_meter(|meter| {
        let mut anchor = UsageAnchor::new();
        let answer = |id: u32, tokens: u64, model: &str| {
            let json = format!(
                r#"{{"role":"assistant","id":"m{id}","model":"{model}","content":"ok","usage":{{"input_tokens":{tokens},"output_tokens":2}}}}"#
            );
            Message::from_json(&json).unwrap()
        };
        for (id, tokens, model) in
            [(1, 50_000, "claude-sonnet-4-5"), (2, 20_000, "claude-sonnet-4-5"), (3, 28_000, "claude-opus-4-7")]
        {
            anchor.push(meter, &answer(id, tokens, model));
            anchor.push(meter, &Message::user("next ".repeat(100)));
        }
        assert!((anchor.ratio() - 1.0).abs() < 1e-9, "{}", anchor.ratio());
        let (same, other) = (anchor.estimate().likely, anchor.estimate_for("claude-sonnet-4-5").likely);
        assert!((28_000..28_200).contains(&same), "{same}");
        assert!(other < same * 9 / 10, "{other} {same}");
    });
}

#[test]
fn nothing_is_known_at_the_start() {
    assert_eq!(UsageAnchor::new().estimate().likely, 0);
    with_meter(|meter| {
        let mut anchor = UsageAnchor::new();
        anchor.push(meter, &Message::user("hello there"));
        assert!(!anchor.is_anchored());
        assert_eq!(anchor.estimate().likely, meter.message(&Message::user("hello there")).total().likely);
    });
}
