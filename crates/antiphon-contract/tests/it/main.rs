//! Tests of the contract by its public API.

mod corpus;
mod diagnosis;
mod exchanges;
mod findings;
mod table;
