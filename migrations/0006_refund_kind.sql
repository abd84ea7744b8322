-- A kind of its own migration: a new label cannot be used in the transaction that adds it.
alter type ledger.kind add value 'order.refund';
