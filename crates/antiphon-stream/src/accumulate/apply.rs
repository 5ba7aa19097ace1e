//! One event after the other.

use antiphon_model::{ContentBlock, JsonKind, RawJson};

use super::block::{Block, Kind};
use super::fit::{Fit, fit};
use super::{Accumulator, Anomaly, AnomalyKind, Carried, CarriedWhat, Update};
use crate::event::MessageDelta;
use crate::members::Members;
use crate::{Delta, EventBody, StreamEvent, TextFault};

impl Accumulator {
    pub(super) fn apply(&mut self, event: StreamEvent<'_>, updates: &mut Vec<Update>) {
        if self.is_ended() {
            if !matches!(event.body, EventBody::Ping) {
                self.note(AnomalyKind::AfterEnd, None, event.type_name(), updates);
                self.carry_json(CarriedWhat::Event, None, &event.to_json(), updates);
            }
            return;
        }
        let quiet = matches!(event.body, EventBody::Ping | EventBody::Error(_) | EventBody::Unknown { .. });
        if !self.state.begun && !quiet {
            self.state.begun = true;
            self.state.has_start = matches!(event.body, EventBody::MessageStart { .. });
            if !self.state.has_start {
                self.note(AnomalyKind::MissingMessageStart, None, event.type_name(), updates);
            }
        }
        let StreamEvent { body, extra } = event;
        let index = match body {
            EventBody::BlockStart { index, .. }
            | EventBody::BlockDelta { index, .. }
            | EventBody::BlockStop { index } => Some(index),
            _ => None,
        };
        match body {
            EventBody::BlockDelta { index, delta, extra, fault } => {
                self.delta(index, delta, fault, updates);
                self.carry_members(CarriedWhat::DeltaMembers, Some(index), extra, updates);
            }
            EventBody::BlockStart { index, block } => self.block_start(index, block, updates),
            EventBody::BlockStop { index } => self.block_stop(index, updates),
            EventBody::MessageStart { message } => self.message_start(message, updates),
            // What stands beside the delta (`context_management`, say) is the message's.
            EventBody::MessageDelta(delta) => return self.message_delta(delta, extra, updates),
            EventBody::MessageStop => {
                self.state.stopped = true;
                self.end_message(updates);
            }
            EventBody::Ping => updates.push(Update::Ping),
            EventBody::Error(error) => {
                self.close_open(false, updates);
                self.state.error = Some(error.clone());
                updates.push(Update::Error { error });
            }
            EventBody::Unknown { kind, raw } => return self.unknown(kind, raw, updates),
        }
        self.carry_members(CarriedWhat::EventMembers, index, extra, updates);
    }

    /// The stream is over. What is open is closed; the first call tells how it went.
    ///
    /// [`finish`](Self::finish) does the same; this is for those who want the last updates too.
    pub fn end(&mut self) -> Vec<Update> {
        let mut updates = Vec::new();
        if !std::mem::replace(&mut self.state.over, true) && !self.state.stopped && self.state.error.is_none() {
            if self.state.stop_reason.is_some() && !self.state.second {
                self.note(AnomalyKind::MissingMessageStop, None, "", &mut updates);
            }
            self.end_message(&mut updates);
        }
        updates
    }

    fn end_message(&mut self, updates: &mut Vec<Update>) {
        self.close_open(self.message_ended(), updates);
        updates.push(match self.interruption() {
            None => Update::Done { stop_reason: self.state.stop_reason.clone() },
            Some(reason) => Update::Interrupted { reason },
        });
    }

    /// The model has said all it had to say, even if `message_stop` did not come.
    pub(super) fn message_ended(&self) -> bool {
        self.state.stopped || (self.state.stop_reason.is_some() && !self.state.second)
    }

    fn close_open(&mut self, message_ended: bool, updates: &mut Vec<Update>) {
        for place in 0..self.state.blocks.len() {
            self.spend_half(place, updates);
            if let Some(block) = self.state.blocks.get_mut(place).filter(|block| block.open) {
                let index = block.index;
                block.close(false, message_ended);
                if message_ended {
                    self.note(AnomalyKind::MissingBlockStop, Some(index), "", updates);
                }
                self.tell_closed(place, updates);
            }
        }
    }

    fn message_start(&mut self, message: RawJson, updates: &mut Vec<Update>) {
        if !self.state.message.is_empty() {
            if !self.state.blocks.is_empty() {
                self.note(AnomalyKind::SecondMessageStart, None, "", updates);
                self.carry(CarriedWhat::Event, None, message, updates);
                self.state.second = true;
                self.close_open(false, updates);
                return;
            }
            self.note(AnomalyKind::MessageStartReplaced, None, "", updates);
        }
        self.room(message.get().len(), updates);
        self.state.message = Members::of(message.as_ref());
        self.state.usage = message.member("usage").map(Members::of).unwrap_or_default();
        if message.member("role").is_some_and(|role| !role.is_str("assistant")) {
            self.note(AnomalyKind::ForeignRole, None, "", updates);
        }
        if let Some(content) = message.member("content").filter(|content| content.elements().next().is_some()) {
            let members = vec![("content".to_owned(), content.to_owned())];
            self.carry_members(CarriedWhat::EventMembers, None, members, updates);
        }
        let string = |key: &str| {
            message.member(key).and_then(|raw| raw.as_str().map(std::borrow::Cow::into_owned)).unwrap_or_default()
        };
        updates.push(Update::MessageStart { id: string("id"), model: string("model") });
        self.tell_usage(updates);
    }

    /// Tells the usage so far, unless it is so large that telling it time and again would cost more than the bytes
    /// that came.
    fn tell_usage(&mut self, updates: &mut Vec<Update>) {
        if self.state.usage.bytes() <= 16 << 10 {
            updates.extend(self.usage().map(|usage| Update::Usage { usage }));
        }
    }

    fn message_delta(&mut self, delta: MessageDelta, extra: Vec<(String, RawJson)>, updates: &mut Vec<Update>) {
        let MessageDelta { delta, usage } = delta;
        let bytes = delta.get().len() + usage.as_ref().map_or(0, |usage| usage.get().len());
        if !self.room(bytes + extra.iter().map(|(key, value)| key.len() + value.get().len()).sum::<usize>(), updates) {
            return;
        }
        for (key, value) in delta.members() {
            self.state.message.update(&key, value);
            if key == "stop_reason"
                && let Some(reason) = value.as_str()
            {
                self.state.stop_reason = Some(reason.clone().into_owned());
                updates.push(Update::StopReason { stop_reason: reason.into_owned() });
            }
        }
        for (key, value) in &extra {
            self.state.message.update(key, value.as_ref());
        }
        if let Some(usage) = usage.filter(|usage| usage.kind() == JsonKind::Object) {
            for (key, value) in usage.members() {
                self.state.usage.update(&key, value);
            }
            self.tell_usage(updates);
        }
    }

    fn block_start(&mut self, index: u64, start: RawJson, updates: &mut Vec<Update>) {
        if let Some(place) = self.place(index) {
            self.state.reused = true;
            self.note(AnomalyKind::IndexReused, Some(index), "", updates);
            self.spend_half(place, updates);
            if let Some(block) = self.state.blocks.get_mut(place).filter(|block| block.open) {
                block.close(false, false);
                self.note(AnomalyKind::BlockNotStopped, Some(index), "", updates);
                self.tell_closed(place, updates);
            }
        } else if self.places.last_key_value().is_some_and(|(&last, _)| index < last) {
            self.note(AnomalyKind::BlockOutOfOrder, Some(index), "", updates);
        }
        self.open(index, start, updates);
    }

    /// Adds a block. Gives its place unless a limit forbids it.
    fn open(&mut self, index: u64, start: RawJson, updates: &mut Vec<Update>) -> Option<usize> {
        if self.state.blocks.len() >= self.state.options.max_blocks {
            self.state.limit = true;
            self.note(AnomalyKind::TooManyBlocks, Some(index), "", updates);
            return None;
        }
        // The block costs memory beyond its text.
        if !self.room(start.get().len() + size_of::<Block>(), updates) {
            return None;
        }
        let block = Block::new(index, start, &self.state.options);
        match block.kind {
            Kind::Text if !block.text.is_empty() => updates.push(Update::TextChunk { index, text: block.text.clone() }),
            Kind::Thinking if !block.text.is_empty() => {
                updates.push(Update::ThinkingChunk { index, text: block.text.clone() });
            }
            Kind::ToolUse | Kind::ServerToolUse => updates.push(Update::ToolUseStart {
                index,
                id: block.id.clone(),
                name: block.name.clone(),
                server: block.kind == Kind::ServerToolUse,
            }),
            Kind::Whole => {
                let whole = ContentBlock::from_raw(block.start.as_ref());
                if whole.type_name() == "fallback"
                    && let Some(model) = block.start.member("to").and_then(|to| to.member("model"))
                {
                    // From here on another model answers (contract 3.6).
                    self.state.message.set("model", model.to_owned());
                }
                updates.push(Update::Block { index, block: whole });
            }
            _ => {}
        }
        let place = self.state.blocks.len();
        self.state.blocks.push(block);
        self.places.insert(index, place);
        Some(place)
    }

    fn block_stop(&mut self, index: u64, updates: &mut Vec<Update>) {
        let Some(place) = self.place(index) else {
            return self.note(AnomalyKind::StopWithoutStart, Some(index), "", updates);
        };
        self.spend_half(place, updates);
        let Some(block) = self.state.blocks.get_mut(place).filter(|block| block.open) else {
            return self.note(AnomalyKind::RepeatedStop, Some(index), "", updates);
        };
        block.close(true, false);
        self.tell_closed(place, updates);
    }

    /// A block ends: if its text ended with half a character, the other half will not come.
    fn spend_half(&mut self, place: usize, updates: &mut Vec<Update>) {
        let Some(block) = self.state.blocks.get_mut(place).filter(|block| block.half.is_some()) else { return };
        block.half = None;
        block.damaged = true;
        let detail = self.state.options.tool_input;
        let index = block.index;
        let delta = match block.kind {
            Kind::Thinking => Delta::Thinking("\u{FFFD}".into()),
            Kind::Text => Delta::Text("\u{FFFD}".into()),
            _ => Delta::InputJson("\u{FFFD}".into()),
        };
        fit(block, delta, &mut TextFault::default(), detail, updates);
        self.note(AnomalyKind::TextReplaced, Some(index), "", updates);
    }

    /// Tells how a block ended.
    fn tell_closed(&mut self, place: usize, updates: &mut Vec<Update>) {
        let Some(block) = self.state.blocks.get(place) else { return };
        let index = block.index;
        match (&block.input, block.kind) {
            (Some(Ok(input)), Kind::ToolUse) => updates.push(Update::ToolUseComplete {
                index,
                id: block.id.clone(),
                name: block.name.clone(),
                input: input.clone(),
            }),
            (Some(Ok(_)), _) => updates.extend(block.build().content.ok().map(|block| Update::Block { index, block })),
            (Some(Err(reason)), _) => updates.push(Update::ToolUseIncomplete {
                index,
                id: block.id.clone(),
                name: block.name.clone(),
                raw: block.text.clone(),
                reason: *reason,
            }),
            (None, _) => {}
        }
        updates.push(Update::BlockStop { index });
    }

    fn delta(&mut self, index: u64, delta: Delta<'_>, mut fault: TextFault, updates: &mut Vec<Update>) {
        let place = self.place(index).or_else(|| {
            let start = match delta {
                Delta::Text(_) => r#"{"type":"text","text":""}"#,
                Delta::Thinking(_) => r#"{"type":"thinking","thinking":""}"#,
                _ => return None,
            };
            self.note(AnomalyKind::BlockOpenedByDelta, Some(index), delta.type_name(), updates);
            self.open(index, RawJson::parse(start).ok()?, updates)
        });
        let length = match &delta {
            Delta::Text(text) | Delta::Thinking(text) | Delta::InputJson(text) | Delta::Signature(text) => text.len(),
            Delta::Citation(raw) | Delta::Compaction(raw) => raw.get().len(),
            Delta::Unknown { .. } => 0,
        };
        if !self.room(length, updates) {
            if let Some(block) = place.and_then(|place| self.state.blocks.get_mut(place)) {
                block.damaged = true;
            }
            return;
        }
        let detail = self.state.options.tool_input;
        let Some(block) = place.and_then(|place| self.state.blocks.get_mut(place)) else {
            return self.not_applied(AnomalyKind::DeltaWithoutStart, index, &delta, fault, updates);
        };
        if !block.open {
            return self.not_applied(AnomalyKind::DeltaAfterStop, index, &delta, fault, updates);
        }
        let outcome = fit(block, delta, &mut fault, detail, updates);
        block.damaged |= fault.lossy;
        match outcome {
            Fit::Applied => {}
            Fit::Odd(kind, detail) => self.note(kind, Some(index), &detail, updates),
            Fit::No(delta) => {
                let kind = match delta {
                    Delta::Unknown { .. } => AnomalyKind::UnknownDelta,
                    _ => AnomalyKind::DeltaDoesNotFit,
                };
                self.not_applied(kind, index, &delta, fault, updates);
            }
        }
        if fault.lossy {
            self.note(AnomalyKind::TextReplaced, Some(index), "", updates);
        }
    }

    fn not_applied(
        &mut self,
        kind: AnomalyKind,
        index: u64,
        delta: &Delta<'_>,
        fault: TextFault,
        updates: &mut Vec<Update>,
    ) {
        self.note(kind, Some(index), delta.type_name(), updates);
        let Ok(raw) = RawJson::parse(&delta.to_json(&[], fault)) else { return };
        if kind == AnomalyKind::UnknownDelta {
            updates.push(Update::Unknown { index: Some(index), raw: raw.clone() });
        }
        self.carry(CarriedWhat::Delta, Some(index), raw, updates);
    }

    fn unknown(&mut self, kind: String, raw: RawJson, updates: &mut Vec<Update>) {
        let event = StreamEvent::from(EventBody::Unknown { kind, raw });
        if event.is_malformed() {
            self.damage(AnomalyKind::MalformedEvent, event.type_name().to_owned(), updates);
        } else {
            self.note(AnomalyKind::UnknownEvent, None, event.type_name(), updates);
        }
        let EventBody::Unknown { raw, .. } = event.body else { return };
        updates.push(Update::Unknown { index: None, raw: raw.clone() });
        self.carry(CarriedWhat::Event, None, raw, updates);
    }

    /// Content may be missing from here on: whatever is open can not be relied on.
    pub(super) fn damage(&mut self, kind: AnomalyKind, detail: String, updates: &mut Vec<Update>) {
        if !self.is_ended() {
            self.state.damaged = true;
            for block in &mut self.state.blocks {
                block.damaged |= block.open;
            }
        }
        self.note(kind, None, &detail, updates);
    }

    pub(crate) fn note(&mut self, kind: AnomalyKind, index: Option<u64>, detail: &str, updates: &mut Vec<Update>) {
        if self.state.anomalies.len() >= self.state.options.max_anomalies {
            self.state.anomalies_dropped += 1;
            return;
        }
        // A detail may quote the peer; an anomaly is a note, not a copy.
        let anomaly = Anomaly { kind, index, detail: detail.chars().take(200).collect() };
        self.state.anomalies.push(anomaly.clone());
        updates.push(Update::Anomaly { anomaly });
    }

    fn carry(&mut self, what: CarriedWhat, index: Option<u64>, raw: RawJson, updates: &mut Vec<Update>) {
        if self.room(raw.get().len() + size_of::<Carried>(), updates) {
            self.state.carried.push(Carried { what, index, raw });
        }
    }

    fn carry_json(&mut self, what: CarriedWhat, index: Option<u64>, json: &str, updates: &mut Vec<Update>) {
        // It was JSON when it came; only nesting at the very limit can stand in the way.
        if let Ok(raw) = RawJson::parse(json) {
            self.carry(what, index, raw, updates);
        }
    }

    fn carry_members(
        &mut self,
        what: CarriedWhat,
        index: Option<u64>,
        list: Vec<(String, RawJson)>,
        updates: &mut Vec<Update>,
    ) {
        if !list.is_empty()
            && let Some(raw) = Members::from(list).to_raw()
        {
            self.carry(what, index, raw, updates);
        }
    }

    /// Whether so many more bytes may be kept; counts them if so.
    fn room(&mut self, bytes: usize, updates: &mut Vec<Update>) -> bool {
        let sum = self.state.bytes.saturating_add(bytes);
        if sum <= self.state.options.max_bytes {
            self.state.bytes = sum;
            return true;
        }
        if !self.state.limit {
            self.state.limit = true;
            self.note(AnomalyKind::TooManyBytes, None, "", updates);
        }
        false
    }

    fn place(&self, index: u64) -> Option<usize> {
        // Nearly every delta is for the block that began last.
        match self.state.blocks.last() {
            Some(last) if last.index == index => Some(self.state.blocks.len() - 1),
            _ => self.places.get(&index).copied(),
        }
    }
}
