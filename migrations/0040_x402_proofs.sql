-- A payment by x402 that was settled stands on the chain with its signature, so it proves no more
-- who repeats it. What proves that is known to its sender alone.
alter table x402_payment
  -- The Idempotency-Key that was sent with it.
  add column call_key text check (length(call_key) between 1 and 255),
  add column origin bytea check (length(origin) = 32); -- keyed hash of the address it came from

-- What one address has open is bounded.
create index x402_payment_unsettled on x402_payment (origin, created_at) where status <> 'settled';
