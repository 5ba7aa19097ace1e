//! Where in the text the parser stands.

use std::fmt::Write as _;

/// An open array or object.
#[derive(Debug, Clone, Copy)]
struct Frame {
    array: bool,
    /// The length of the pointer to the container itself.
    mark: usize,
    /// Elements begun so far (arrays).
    begun: usize,
}

/// The open containers and the JSON pointer to the value being read. Kept as one string that grows and shrinks at its
/// end, so that moving on costs what the last part of the path costs.
#[derive(Debug, Clone, Default)]
pub(super) struct Path {
    frames: Vec<Frame>,
    pointer: String,
}

impl Path {
    pub(super) fn pointer(&self) -> &str {
        &self.pointer
    }

    pub(super) fn depth(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn in_array(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.array)
    }

    pub(super) fn open(&mut self, array: bool) {
        self.frames.push(Frame { array, mark: self.pointer.len(), begun: 0 });
    }

    /// Leaves the innermost container; the pointer is then its own.
    pub(super) fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.pointer.truncate(frame.mark);
        }
    }

    /// The next value of an array begins.
    pub(super) fn element(&mut self) {
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.array) {
            self.pointer.truncate(frame.mark);
            // Writing to a string can not fail.
            let _ = write!(self.pointer, "/{}", frame.begun);
            frame.begun += 1;
        }
    }

    /// A member's key is known.
    pub(super) fn key(&mut self, key: &str) {
        if let Some(frame) = self.frames.last() {
            self.pointer.truncate(frame.mark);
        }
        self.pointer.push('/');
        for part in key.split_inclusive(['~', '/']) {
            match part.strip_suffix('~').map(|head| (head, "~0")).or(part.strip_suffix('/').map(|head| (head, "~1"))) {
                Some((head, escape)) => self.pointer.extend([head, escape]),
                None => self.pointer.push_str(part),
            }
        }
    }
}
