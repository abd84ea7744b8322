-- Whether a tree is an established buyer of a seller: it has paid the platform ten cents in cash
-- for their deals, and owes it nothing.
create or replace function pair_counts(p_fees bigint, p_other_root bigint) returns boolean
language sql stable return
  p_fees >= 100000 and not exists (
    select from public.record_debt where root_id = p_other_root and owed > 0);
