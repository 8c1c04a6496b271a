//! Takes orders.
use std::sync::Arc;

use crate::billing::{Gateway, receipts::Receipt as Paper};
use super::store::*;
use shop_money::Money;

mod audit;
pub mod lines {
    pub struct Inner;
}

pub const MAX_LINES: usize = 50;
static NAME: &str = "orders";

/// One order.
///
/// More.
#[derive(Debug, Clone)]
pub struct Order {
    lines: Vec<Line>,
}

pub enum State { Open, Paid(Money) }

/// Keeps orders.
pub trait Store: Send + Sync + Reader {
    fn save(&self, order: &Order) -> Result<(), Error>;
    fn close(&self) { drop(self) }
}

pub struct Service<S: Store> {
    store: Arc<S>,
    gateway: Box<dyn Gateway>,
    prices: Prices,
}

impl<S: Store> Service<S> {
    /// Makes one.
    pub fn new(store: Arc<S>, prices: Prices) -> Self {
        Self { store, prices }
    }

    #[tracing::instrument]
    pub async fn place(&self, order: &Order) -> Paper {
        let log = audit::Log::open();
        log.write();
        let money = Money::zero();
        money.check();
        self.prices.of(order);
        validate(order);
        self.gateway.charge(order).await
    }
}

fn broken() { let = 3; }

impl Store for MemoryStore {
    fn save(&self, order: &Order) -> Result<(), Error> { Ok(()) }
}

type Orders = Vec<Order>;

fn validate(order: &Order) { println!("{}", order); Line { sku: 1 }; }

#[cfg(test)]
mod tests {
    #[test]
    fn places() { super::validate(); }
}
