//! Streamed answers: antiphon beside other crates and the official SDKs, and how time grows.
//!
//! `cargo xtask bench --ratios`, or alone `cargo run --release -p antiphon-benches --bin streams`. The last column is how
//! many times as long as antiphon; below 1 is faster than antiphon. Times are CPU times; what antiphon and other crates
//! take is measured in turn in this process, the SDKs in processes of their own over the same bytes. What takes minutes
//! runs with `ANTIPHON_BENCH_SLOW=1` only. With `ANTIPHON_BENCH_MESSAGES` all is small and no SDK is started.

use antiphon_benches::measure::{Contender, Medians, interleaved, once, sizes};
use antiphon_benches::streams::aims::{Aims, Bound};
use antiphon_benches::streams::body::{Body, Cut, edits, write};
use antiphon_benches::streams::readers::{
    self, Frames, Input, antiphon_frames, derived, eventsource_frames, framing, sse_core_frames, sse_stream_frames,
};
use antiphon_benches::streams::sdk::Sdk;
use antiphon_stream::ToolInputDetail::{self, Changes, Raw, Values};
use bytes::Bytes;

const OURS: &str = "antiphon";
const SSE_CORE: &str = "sse-core";
const SSE_STREAM: &str = "sse-stream";
const EVENTSOURCE: &str = "eventsource-stream";
const CORE_DERIVE: &str = "sse-core + derive";
const STREAM_DERIVE: &str = "sse-stream + derive";
const EVENTSOURCE_DERIVE: &str = "eventsource-stream + derive";
const RAW: &str = "antiphon, no value";
const VALUES: &str = "antiphon, a value at every delta";
const CHANGES: &str = "antiphon, value and changes at every delta";
const JITER: &str = "sse-core + derive + jiter at every delta";
const JOINED: &str = "sse-core + derive, no value";

/// Above this size of tool input, what parses all of it at every delta takes minutes.
const SLOW_FROM: usize = 500_000;

fn main() {
    if cfg!(debug_assertions) {
        println!("(not optimised: this shows that all runs; the figures mean nothing)\n");
    }
    let events = sizes(&[40_000]).first().copied().unwrap_or_default();
    let small = std::env::var_os("ANTIPHON_BENCH_MESSAGES").is_some();
    let mut run = Run {
        small,
        slow: std::env::var_os("ANTIPHON_BENCH_SLOW").is_some(),
        failed: false,
        peers: Vec::new(),
        aims: Aims::default(),
    };
    println!("== streams, CPU time, medians; the last column is how many times as long as antiphon\n");
    run.text(events);
    run.large_event(if small { events * 500 } else { 8 << 20 });
    run.one_read(events);
    let [low, middle, high] = if small { [events, events * 5, events * 50] } else { [10_000, 100_000, 1_000_000] };
    for (kind, make) in [("many small values", edits as fn(usize) -> String), ("one long text", write)] {
        for bytes in [low, middle, high] {
            run.tool_input(kind, &make(bytes));
        }
        run.growth_of_input(kind, &make(middle), &make(high));
    }
    run.growth_of_text(events, events * 10);
    run.pieces(events);
    if small {
        println!("aims: not judged at small sizes");
    } else {
        println!("aims\n{}", run.aims);
        println!("peers: {}", run.peers.join("; "));
    }
    if run.failed {
        std::process::exit(1);
    }
}

struct Run {
    /// Small sizes: shows that all runs.
    small: bool,
    /// Minutes are allowed.
    slow: bool,
    failed: bool,
    /// The SDKs that ran, with versions.
    peers: Vec<String>,
    aims: Aims,
}

impl Run {
    fn rounds(&self, rounds: usize) -> usize {
        if self.small { 1 } else { rounds }
    }

    /// Small text events, one a piece: framing, and from bytes to the message.
    fn text(&mut self, events: usize) {
        let body = Body::text(events);
        let pieces = Cuts::new(&body, Cut::Events);
        let title = |what: &str| format!("{what}, {} events of small text, one event a piece", body.events());
        let medians = interleaved(
            self.rounds(21),
            &mut [
                pieces.frames(OURS, antiphon_frames),
                pieces.frames(SSE_CORE, sse_core_frames),
                pieces.frames(SSE_STREAM, sse_stream_frames),
                pieces.frames(EVENTSOURCE, eventsource_frames),
            ],
        );
        println!("{}", medians.multiples(&title("framing alone"), Some(body.bytes().len()), OURS));

        let mut medians = interleaved(
            self.rounds(21),
            &mut [
                pieces.ours(OURS, Changes),
                pieces.derived(CORE_DERIVE, sse_core_frames, Input::AtTheEnd),
                pieces.derived(STREAM_DERIVE, sse_stream_frames, Input::AtTheEnd),
                pieces.derived(EVENTSOURCE_DERIVE, eventsource_frames, Input::AtTheEnd),
            ],
        );
        self.sdk(Sdk::TypeScript, &mut medians, &body, Cut::Events);
        self.sdk(Sdk::Python, &mut medians, &body, Cut::Events);
        println!("{}", medians.multiples(&title("bytes to message"), Some(body.bytes().len()), OURS));
        let mut aim = |peer, factor| {
            self.aims.note(format!("text: faster than {peer}"), Bound::AtLeast(factor), medians.times(peer, OURS));
        };
        aim(Sdk::Python.name(), 80.0);
        aim(Sdk::TypeScript.name(), 15.0);
        aim(EVENTSOURCE_DERIVE, 2.0);
    }

    /// One event of many megabytes in pieces of 4 KB.
    fn large_event(&mut self, bytes: usize) {
        let body = Body::one_large_event(bytes);
        let pieces = Cuts::new(&body, Cut::Bytes(4096));
        let title = |what: &str| format!("{what}, one event of {bytes} bytes in pieces of 4 KB");
        let mut medians = interleaved(
            self.rounds(11),
            &mut [
                pieces.frames(OURS, antiphon_frames),
                pieces.frames(SSE_CORE, sse_core_frames),
                pieces.frames(SSE_STREAM, sse_stream_frames),
            ],
        );
        medians.add(EVENTSOURCE, once(&mut pieces.frames(EVENTSOURCE, eventsource_frames)));
        println!("{}", medians.multiples(&title("framing alone"), Some(body.bytes().len()), OURS));
        let ratio = medians.times(OURS, SSE_STREAM);
        self.aims.note("large event: antiphon's time / sse-stream's", Bound::AtMost(3.0), ratio);
        let ratio = medians.times(EVENTSOURCE, OURS);
        self.aims.note("large event: faster than eventsource-stream", Bound::AtLeast(100.0), ratio);

        let mut medians = interleaved(
            self.rounds(11),
            &mut [
                pieces.ours(OURS, Changes),
                pieces.derived(CORE_DERIVE, sse_core_frames, Input::AtTheEnd),
                pieces.derived(STREAM_DERIVE, sse_stream_frames, Input::AtTheEnd),
            ],
        );
        self.sdk(Sdk::TypeScript, &mut medians, &body, Cut::Bytes(4096));
        self.sdk(Sdk::Python, &mut medians, &body, Cut::Bytes(4096));
        println!("{}", medians.multiples(&title("bytes to message"), Some(body.bytes().len()), OURS));
        for (sdk, factor) in [(Sdk::Python, 100.0), (Sdk::TypeScript, 5.0)] {
            let what = format!("large event: faster than {}", sdk.name());
            self.aims.note(what, Bound::AtLeast(factor), medians.times(sdk.name(), OURS));
        }
    }

    /// All events at once.
    fn one_read(&mut self, events: usize) {
        let body = Body::text(events);
        let pieces = Cuts::new(&body, Cut::Whole);
        let mut medians = interleaved(
            self.rounds(21),
            &mut [
                pieces.frames(OURS, antiphon_frames),
                pieces.frames(SSE_CORE, sse_core_frames),
                pieces.frames(SSE_STREAM, sse_stream_frames),
            ],
        );
        medians.add(EVENTSOURCE, once(&mut pieces.frames(EVENTSOURCE, eventsource_frames)));
        let title = format!("framing alone, {} events of small text in one read", body.events());
        println!("{}", medians.multiples(&title, Some(body.bytes().len()), OURS));
        let ratio = medians.times(EVENTSOURCE, OURS);
        self.aims.note("one read: faster than eventsource-stream", Bound::AtLeast(100.0), ratio);
    }

    /// The input of a tool in deltas of 16 bytes, one event a piece.
    fn tool_input(&mut self, kind: &str, input: &str) {
        let body = Body::tool_input(input);
        let pieces = Cuts::new(&body, Cut::Events);
        let small = input.len() < SLOW_FROM;
        let mut contenders = vec![
            pieces.ours(RAW, Raw),
            pieces.ours(VALUES, Values),
            pieces.ours(CHANGES, Changes),
            pieces.derived(JOINED, sse_core_frames, Input::AtTheEnd),
        ];
        let again = || pieces.derived(JITER, sse_core_frames, Input::Again);
        if small {
            contenders.push(again());
        }
        let mut medians = interleaved(self.rounds(if small { 11 } else { 9 }), &mut contenders);
        if !small && self.may_be_slow(JITER, input.len()) {
            medians.add(JITER, once(&mut again()));
        }
        self.sdk(Sdk::TypeScript, &mut medians, &body, Cut::Events);
        for sdk in [Sdk::TypeScriptValues, Sdk::Python] {
            if small || self.may_be_slow(sdk.name(), input.len()) {
                self.sdk(sdk, &mut medians, &body, Cut::Events);
            }
        }
        let title = format!("tool input, {kind}, {} bytes in deltas of 16, one event a piece", input.len());
        println!("{}", medians.multiples(&title, Some(input.len()), VALUES));

        let what = format!("{kind}, {} KB", (input.len() + 500) / 1000);
        let mut aim = |what: String, bound, ratio| self.aims.note(what, bound, ratio);
        aim(format!("{what}: a value / none"), Bound::AtMost(1.25), medians.times(VALUES, RAW));
        let at_least = |peer: Sdk| match (peer, input.len()) {
            (_, ..50_000) => None,
            (Sdk::TypeScript, SLOW_FROM..) => Some(10.0),
            (Sdk::TypeScript, _) => None,
            (Sdk::TypeScriptValues, SLOW_FROM..) => None,
            (Sdk::TypeScriptValues | Sdk::Python, ..SLOW_FROM) => Some(100.0),
            (Sdk::Python, _) => Some(600.0),
        };
        for peer in [Sdk::Python, Sdk::TypeScript, Sdk::TypeScriptValues] {
            if let Some(factor) = at_least(peer) {
                let ratio = medians.times(peer.name(), VALUES);
                aim(format!("{what}: faster than {}", peer.name()), Bound::AtLeast(factor), ratio);
            }
        }
    }

    /// The input of a tool, ten times as long.
    fn growth_of_input(&mut self, kind: &str, short: &str, long: &str) {
        let [short, long] = [short, long].map(|input| Cuts::new(&Body::tool_input(input), Cut::Events));
        for (name, detail) in [(VALUES, Values), (CHANGES, Changes)] {
            let medians = interleaved(
                self.rounds(15),
                &mut [short.ours("short", detail), long.ours("ten times as long", detail)],
            );
            println!("{}", medians.multiples(&format!("growth of tool input, {kind}, {name}"), None, "short"));
            let what = format!("{kind}, {name}: 1 MB / 100 KB");
            self.aims.note(what, Bound::AtMost(13.0), medians.times("ten times as long", "short"));
        }
    }

    /// Text, ten times as long: 200 KB and 2 MB.
    fn growth_of_text(&mut self, short: usize, long: usize) {
        let [short, long] = [short, long].map(|events| Cuts::new(&Body::text(events), Cut::Events));
        let medians =
            interleaved(self.rounds(11), &mut [short.ours("short", Changes), long.ours("ten times as long", Changes)]);
        println!("{}", medians.multiples("growth of text, bytes to updates and message", None, "short"));
        let ratio = medians.times("ten times as long", "short");
        self.aims.note("text: 2 MB / 200 KB", Bound::AtMost(12.0), ratio);
    }

    /// The same bytes in pieces of all sizes. Pieces of 16 bytes are a fifth of a line each: what is left of the cost
    /// of a call shows there.
    fn pieces(&mut self, events: usize) {
        let body = Body::text(events);
        let cuts = [
            ("16 bytes", Cut::Bytes(16)),
            ("64 bytes", Cut::Bytes(64)),
            ("one event", Cut::Events),
            ("4 KB", Cut::Bytes(4096)),
            ("64 KB", Cut::Bytes(64 << 10)),
            ("all at once", Cut::Whole),
        ];
        let cut: Vec<_> = cuts.iter().map(|(name, cut)| (*name, Cuts::new(&body, *cut))).collect();
        let mut contenders: Vec<_> = cut.iter().map(|(name, pieces)| pieces.ours(name, Changes)).collect();
        let medians = interleaved(self.rounds(15), &mut contenders);
        println!("{}", medians.multiples("bytes to message by size of the pieces", Some(body.bytes().len()), "4 KB"));
        for name in ["64 bytes", "all at once"] {
            let ratio = medians.times(name, "4 KB");
            self.aims.note(format!("text: pieces of {name} / of 4 KB"), Bound::AtMost(1.25), ratio);
        }
    }

    fn may_be_slow(&self, name: &str, bytes: usize) -> bool {
        if !self.slow {
            println!("skipped: {name}: {bytes} bytes take minutes (ANTIPHON_BENCH_SLOW=1)");
        }
        self.slow
    }

    fn sdk(&mut self, sdk: Sdk, medians: &mut Medians, body: &Body, cut: Cut) {
        if self.small {
            return;
        }
        match sdk.run(body, cut, 3) {
            Ok(timed) => {
                if !self.peers.contains(&timed.peer) {
                    self.peers.push(timed.peer.clone());
                }
                medians.add(sdk.name(), timed.median());
                if timed.rounds > 1 {
                    medians.add(sdk.first_name(), timed.first());
                }
            }
            Err(failure) => {
                println!("{failure}");
                self.failed |= !failure.missing;
            }
        }
    }
}

/// A body in pieces, and ways to read it that make sure that all of it was read.
struct Cuts {
    pieces: Vec<Bytes>,
    data: usize,
    carries: usize,
}

impl Cuts {
    fn new(body: &Body, cut: Cut) -> Self {
        Self { pieces: body.pieces(cut), data: body.data, carries: body.carries }
    }

    fn ours(&self, name: &'static str, detail: ToolInputDetail) -> Contender<'_> {
        Contender::new(name, move || {
            let finished = readers::antiphon(&self.pieces, detail);
            assert!(finished.is_ok(), "{name}: {finished:?}");
            finished
        })
    }

    fn frames(&self, name: &'static str, frames: Frames) -> Contender<'_> {
        let read = move |pieces| assert_eq!(framing(frames, pieces), self.data, "{name}");
        Contender::with(name, || self.pieces.clone(), read)
    }

    fn derived(&self, name: &'static str, frames: Frames, input: Input) -> Contender<'_> {
        let read = move |pieces| {
            let message = derived(frames, pieces, input);
            assert_eq!(message.blocks.iter().map(String::len).sum::<usize>(), self.carries, "{name}");
            message
        };
        Contender::with(name, || self.pieces.clone(), read)
    }
}
