-- Doubles with every 180 days, so that of two deals the younger weighs more, by the same factor at
-- any time: sums of it are compared as they are stored. Divided by the weight of now it is a share.
create or replace function record_weight(p_at timestamptz) returns float8
language sql immutable parallel safe return
  power(2, extract(epoch from p_at - '2026-01-01T00:00:00Z'::timestamptz)::float8 / 15552000);
