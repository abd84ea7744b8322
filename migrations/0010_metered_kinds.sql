-- Kinds of a migration of their own: new labels cannot be used in the transaction that adds them.
alter type ledger.kind add value 'proxy.charge';
alter type ledger.kind add value 'proxy.refund';
alter type ledger.kind add value 'email.charge';
