-- list_deposits by status: those that were not credited are few, and would be looked for among all,
-- of which each call that is paid for by x402 is one.
create index deposit_not_credited on deposit (root_id, id) where status <> 'credited';
