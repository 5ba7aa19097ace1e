//! Timing several ways of doing the same work in turn.

use std::fmt::Write as _;
use std::time::Duration;

use cpu_time::ProcessTime;

/// One way of doing the work. Its set-up is not timed.
pub struct Contender<'a> {
    name: &'static str,
    run: Box<dyn FnMut() -> Duration + 'a>,
}

impl std::fmt::Debug for Contender<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contender").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Contender<'a> {
    /// Work that needs nothing prepared.
    pub fn new<T>(name: &'static str, mut work: impl FnMut() -> T + 'a) -> Self {
        Self::with(name, || (), move |()| work())
    }

    /// Work that uses up what `prepare` makes. Neither making it nor freeing the result is timed.
    pub fn with<P, T>(
        name: &'static str,
        mut prepare: impl FnMut() -> P + 'a,
        mut work: impl FnMut(P) -> T + 'a,
    ) -> Self {
        let run = move || {
            let prepared = prepare();
            let began = ProcessTime::now();
            let result = std::hint::black_box(work(std::hint::black_box(prepared)));
            let took = began.elapsed();
            drop(result);
            took
        };
        Self { name, run: Box::new(run) }
    }
}

/// The median CPU time of each contender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Medians(Vec<(&'static str, Duration)>);

/// Runs a contender once, without a warm-up: for what takes seconds, where neither would change the figure by much.
pub fn once(contender: &mut Contender<'_>) -> Duration {
    (contender.run)()
}

/// Runs every contender once to warm up and then `rounds` times, one after the other within each round, so that
/// whatever else the machine does falls on all of them.
pub fn interleaved(rounds: usize, contenders: &mut [Contender<'_>]) -> Medians {
    for contender in &mut *contenders {
        (contender.run)();
    }
    let mut times = vec![Vec::with_capacity(rounds); contenders.len()];
    for _ in 0..rounds.max(1) {
        for (contender, times) in contenders.iter_mut().zip(&mut times) {
            times.push((contender.run)());
        }
    }
    let names = contenders.iter().map(|contender| contender.name);
    Medians(names.zip(times.into_iter().map(median)).collect())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

impl Medians {
    /// Adds what was timed elsewhere: in another process, or only once.
    pub fn add(&mut self, name: &'static str, median: Duration) {
        self.0.push((name, median));
    }

    /// The time of one, in seconds.
    pub fn seconds(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(other, _)| *other == name).map(|(_, time)| time.as_secs_f64().max(1e-9))
    }

    /// How many times as long as `base` another took.
    pub fn times(&self, name: &str, base: &str) -> Option<f64> {
        Some(self.seconds(name)? / self.seconds(base)?)
    }

    /// A table: the time of each, its speed where the work reads `bytes`, and how many times the yardstick's speed.
    pub fn table(&self, title: &str, bytes: Option<usize>, yardstick: &str) -> String {
        self.lines(title, bytes, |name| self.times(yardstick, name))
    }

    /// The same with how many times as long as the base it took, for what is slower by far.
    pub fn multiples(&self, title: &str, bytes: Option<usize>, base: &str) -> String {
        self.lines(title, bytes, |name| self.times(name, base))
    }

    fn lines(&self, title: &str, bytes: Option<usize>, ratio: impl Fn(&str) -> Option<f64>) -> String {
        let mut table = format!("{title}\n");
        for (name, time) in &self.0 {
            let seconds = time.as_secs_f64().max(1e-9);
            let speed = bytes.map_or_else(String::new, |bytes| format!("{:.0} MB/s", megabytes(bytes) / seconds));
            let ratio = ratio(name).map_or_else(String::new, |ratio| format!("{ratio:.2} x"));
            let _ = writeln!(table, "  {name:<44} {:>10.3} ms {speed:>13} {ratio:>10}", seconds * 1e3);
        }
        table
    }
}

#[expect(clippy::cast_precision_loss, reason = "a size to read, not to count with")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

/// The numbers of messages to measure with: `ANTIPHON_BENCH_MESSAGES` if it is set (a small one shows that all works),
/// or these. Ends the process if the variable holds no number.
pub fn sizes(default: &[usize]) -> Vec<usize> {
    let Ok(text) = std::env::var("ANTIPHON_BENCH_MESSAGES") else { return default.to_vec() };
    match text.parse() {
        Ok(messages) => vec![messages],
        Err(error) => {
            eprintln!("error: ANTIPHON_BENCH_MESSAGES={text}: {error}");
            std::process::exit(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contenders_take_turns() {
        let order = std::cell::RefCell::new(String::new());
        let contender = |name: &'static str| Contender::new(name, || order.borrow_mut().push_str(name));
        let medians = interleaved(2, &mut [contender("a"), contender("b")]);
        assert_eq!(*order.borrow(), "ababab", "one round to warm up, then two");
        assert_eq!(medians.0.len(), 2);
    }

    #[test]
    fn preparation_is_not_timed() {
        let busy = || (0..20_000_000_u64).fold(0, |sum: u64, n| std::hint::black_box(sum ^ n));
        let medians = interleaved(1, &mut [Contender::with("idle", busy, |_| ()), Contender::new("busy", busy)]);
        assert!(medians.0[0].1 * 10 < medians.0[1].1, "{medians:?}");
    }

    #[test]
    fn the_ratio_says_how_many_times_the_yardstick_s_speed() {
        let medians = Medians(vec![("ours", Duration::from_millis(5)), ("theirs", Duration::from_millis(10))]);
        let table = medians.table("load", Some(10_000_000), "theirs");
        assert!(table.contains("5.000 ms     2000 MB/s     2.00 x"), "{table}");
        assert!(table.contains("10.000 ms     1000 MB/s     1.00 x"), "{table}");
    }

    #[test]
    fn a_multiple_says_how_many_times_the_base_s_time() {
        let mut medians = Medians(vec![("ours", Duration::from_millis(5))]);
        medians.add("theirs", once(&mut Contender { name: "theirs", run: Box::new(|| Duration::from_millis(10)) }));
        let table = medians.multiples("load", None, "ours");
        let ratios: Vec<_> = table.lines().skip(1).map(|line| line.rsplit(" ms ").next().unwrap().trim()).collect();
        assert_eq!(ratios, ["1.00 x", "2.00 x"], "{table}");
        assert_eq!((medians.times("theirs", "ours"), medians.times("theirs", "gone")), (Some(2.0), None));
    }

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median([9, 1, 5].map(Duration::from_secs).into()), Duration::from_secs(5));
    }
}
