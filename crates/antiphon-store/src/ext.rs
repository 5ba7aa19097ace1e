//! Convenience on top of the trait.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use antiphon_log::Problem;
use async_trait::async_trait;
use futures_core::Stream;

use crate::{Error, Loaded, Page, Record, SessionId, SessionStore};

/// What every store can do besides.
#[async_trait]
pub trait SessionStoreExt: SessionStore {
    /// All records of a session behind `page.after`, page by page. Memory is bounded by one page.
    ///
    /// ```
    /// use antiphon_log::Entry;
    /// use antiphon_model::Message;
    /// use antiphon_store::{Append, MemoryStore, NewSession, Page, SessionId, SessionStore, SessionStoreExt};
    /// # pollster::block_on(async {
    /// let store = MemoryStore::new();
    /// let id = SessionId::new("s")?;
    /// store.create(&id, NewSession::default()).await?;
    /// let turn = Entry::from_message(&Message::user("hi"))?;
    /// store.append(&id, &[turn.clone(), turn], Append::default()).await?;
    /// let mut records = store.records(&id, Page::default().with_limit(1));
    /// let mut seen = Vec::new();
    /// while let Some(record) = records.next().await {
    ///     seen.push(record?.seq);
    /// }
    /// assert_eq!(seen, [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn records<'s>(&'s self, id: &'s SessionId, page: Page) -> Records<'s> {
        Records {
            fetch: Box::new(move |page| self.load(id, page)),
            next: Some(page),
            loading: None,
            ready: VecDeque::new(),
            problems: Vec::new(),
        }
    }

    /// A whole session at once.
    ///
    /// # Errors
    /// Those of [`load`](SessionStore::load).
    async fn load_all(&self, id: &SessionId) -> Result<Loaded, Error> {
        let mut all = Loaded::default();
        let mut page = Some(Page::default());
        while let Some(wanted) = page {
            let loaded = self.load(id, wanted).await?;
            page = loaded.next(wanted);
            all.last = loaded.last;
            all.records.extend(loaded.records);
            all.problems.extend(loaded.problems);
        }
        Ok(all)
    }
}

impl<S: SessionStore + ?Sized> SessionStoreExt for S {}

type Loading<'s> = Pin<Box<dyn Future<Output = Result<Loaded, Error>> + Send + 's>>;

/// The records of a session, page by page: a [`Stream`] that ends behind the last record, or after an error. By
/// [`SessionStoreExt::records`].
pub struct Records<'s> {
    fetch: Box<dyn Fn(Page) -> Loading<'s> + Send + Sync + 's>,
    next: Option<Page>,
    loading: Option<(Page, Loading<'s>)>,
    ready: VecDeque<Record>,
    problems: Vec<Problem>,
}

impl Records<'_> {
    /// The next record. The same as the stream's item, for callers without a crate of stream helpers.
    pub async fn next(&mut self) -> Option<Result<Record, Error>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// The damage that was met so far.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Stream for Records<'_> {
    type Item = Result<Record, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        loop {
            if let Some(record) = this.ready.pop_front() {
                return Poll::Ready(Some(Ok(record)));
            }
            if let Some((page, loading)) = &mut this.loading {
                let page = *page;
                let Poll::Ready(loaded) = loading.as_mut().poll(context) else { return Poll::Pending };
                this.loading = None;
                match loaded {
                    Ok(loaded) => {
                        this.next = loaded.next(page);
                        this.ready.extend(loaded.records);
                        this.problems.extend(loaded.problems);
                    }
                    Err(error) => return Poll::Ready(Some(Err(error))),
                }
            } else if let Some(page) = this.next.take() {
                this.loading = Some((page, (this.fetch)(page)));
            } else {
                return Poll::Ready(None);
            }
        }
    }
}

impl fmt::Debug for Records<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("next", &self.next).field("ready", &self.ready.len()).finish_non_exhaustive()
    }
}
