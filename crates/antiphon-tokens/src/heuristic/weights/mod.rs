//! The fitted weights; each file is made by `fit-heuristic`.

mod cl100k;
mod o200k;

pub(crate) use cl100k::CL100K;
pub(crate) use o200k::O200K;
