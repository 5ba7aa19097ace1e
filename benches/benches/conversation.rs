//! Loading, checking, repairing and merging conversations of growing length.
//!
//! Throughput in messages stays level where the work is linear. `ratios` has the yardsticks side by side.

use antiphon_benches::derived;
use antiphon_benches::generate::{Shape, claude_code_log, message_array};
use antiphon_benches::measure::sizes;
use antiphon_benches::unlimited;
use antiphon_contract::check;
use antiphon_model::{Message, Request};
use antiphon_transform::{Conversation, Merge, Repair, Transform};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: &[usize] = &[1_000, 10_000, 100_000];

fn load(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load");
    for messages in sizes(SIZES) {
        group.throughput(Throughput::Elements(messages as u64)).sample_size(10);
        let array = message_array(messages, Shape::Whole);
        group.bench_with_input(BenchmarkId::new("array", messages), &array, |bencher, array| {
            bencher.iter(|| serde_json::from_str::<Vec<Message>>(array).map_err(drop));
        });
        group.bench_with_input(BenchmarkId::new("array, derive as yardstick", messages), &array, |bencher, array| {
            bencher.iter(|| serde_json::from_str::<Vec<derived::Message>>(array).map_err(drop));
        });
        drop(array);
        let log = claude_code_log(messages, Shape::Whole);
        group.bench_with_input(BenchmarkId::new("log, entries", messages), &log, |bencher, log| {
            bencher.iter(|| antiphon_log::read(log.as_bytes()));
        });
        group.bench_with_input(BenchmarkId::new("log, entries and messages", messages), &log, |bencher, log| {
            bencher.iter(|| {
                let read = antiphon_log::read(log.as_bytes());
                read.entries.iter().filter(|entry| entry.message().is_some()).count()
            });
        });
    }
    group.finish();
}

fn checking(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("check");
    let profile = unlimited();
    for messages in sizes(SIZES) {
        group.throughput(Throughput::Elements(messages as u64)).sample_size(10);
        for (name, shape) in [("whole", Shape::Whole), ("broken", Shape::Broken)] {
            let request = request(messages, shape);
            group.bench_with_input(BenchmarkId::new(name, messages), &request, |bencher, request| {
                bencher.iter(|| check(request, &profile));
            });
        }
    }
    group.finish();
}

fn repair(criterion: &mut Criterion) {
    transform(criterion, "repair", &Repair::new(unlimited()), Shape::Broken);
}

fn merge(criterion: &mut Criterion) {
    transform(criterion, "merge", &Merge::default(), Shape::Runs);
}

/// What there is to do, and nothing to do.
fn transform(criterion: &mut Criterion, name: &str, transform: &dyn Transform, shape: Shape) {
    let mut group = criterion.benchmark_group(name);
    for messages in sizes(SIZES) {
        group.throughput(Throughput::Elements(messages as u64)).sample_size(10);
        for (name, shape) in [("much", shape), ("nothing", Shape::Whole)] {
            let request = request(messages, shape);
            group.bench_with_input(BenchmarkId::new(name, messages), &request, |bencher, request| {
                bencher.iter_batched(
                    || Conversation::new(request.clone()),
                    |mut conversation| (transform.apply(&mut conversation).map_err(drop), conversation),
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

fn request(messages: usize, shape: Shape) -> Request {
    let text = message_array(messages, shape);
    Request::new(serde_json::from_str::<Vec<Message>>(&text).unwrap_or_default())
}

criterion_group!(benches, load, checking, repair, merge);
criterion_main!(benches);
