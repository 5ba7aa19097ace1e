//! Where a session may be forked.

use antiphon_contract::legal_cuts;
use antiphon_log::Entry;

use crate::{Error, Loaded, Page, SessionId, SessionStore};

/// The sequence numbers behind which a session may be forked, given all its records in order: no call is torn from its result, and
/// no thinking loop. 0 and the last one are always among them.
///
/// Records that are no messages may be on either side of a cut.
///
/// ```
/// use antiphon_store::fork_points;
/// let log = antiphon_log::read(br#"{"role":"user","content":"go"}
/// {"role":"tool_use","id":"t1","name":"ls","input":{}}
/// {"role":"tool_result","tool_use_id":"t1","content":"a b"}
/// {"role":"assistant","content":"Two files."}
/// {"event":"saved"}
/// {"role":"user","content":"thanks"}
/// "#);
/// assert_eq!(fork_points(log.entries.iter()), [0, 4, 5, 6]);
/// ```
pub fn fork_points<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> Vec<u64> {
    let mut messages = Vec::new();
    // How many messages there are up to each record.
    let mut seen = vec![0];
    for entry in entries {
        messages.extend(entry.message().cloned());
        seen.push(messages.len());
    }
    let cuts = legal_cuts(&messages);
    let legal = |(_, count): &(u64, usize)| cuts.binary_search(count).is_ok();
    (0..).zip(seen).filter(legal).map(|(seq, _)| seq).collect()
}

/// Whether session `id` may be forked behind record `at`. For stores; it reads the session page by page.
///
/// # Errors
/// [`Error::OutOfRange`], [`Error::IllegalFork`], and those of [`SessionStore::load`].
pub async fn check_fork(store: &(impl SessionStore + ?Sized), id: &SessionId, at: u64) -> Result<(), Error> {
    let mut page = Some(Page::default());
    let mut entries = Vec::new();
    let mut last = 0;
    while let Some(wanted) = page {
        let loaded: Loaded = store.load(id, wanted).await?;
        page = loaded.next(wanted);
        last = loaded.last;
        entries.extend(loaded.records.into_iter().map(|record| record.entry));
    }
    if at > last {
        return Err(Error::OutOfRange { id: id.clone(), at, last });
    }
    let points = fork_points(&entries);
    match points.binary_search(&at) {
        Ok(_) => Ok(()),
        Err(behind) => {
            let near = |index: usize| points.get(index).copied().unwrap_or_default();
            Err(Error::IllegalFork { id: id.clone(), at, before: near(behind.saturating_sub(1)), after: near(behind) })
        }
    }
}
