//! A progress bar for what takes longer than a second, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Instant;

pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    start: Instant,
    size: u64,
    name: String,
    read: u64,
}

impl Progress {
    pub(crate) fn reading(size: u64, name: &str) -> Self {
        Self { bar: None, start: Instant::now(), size, name: name.to_owned(), read: 0 }
    }

    pub(crate) fn add(&mut self, bytes: usize) {
        self.read += bytes as u64;
        if self.bar.is_none() && self.size > 0 && self.start.elapsed().as_secs() >= 1 && std::io::stderr().is_terminal()
        {
            let bar = ProgressBar::with_draw_target(Some(self.size), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes}") {
                bar.set_style(style);
            }
            bar.set_message(self.name.clone());
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.read);
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
