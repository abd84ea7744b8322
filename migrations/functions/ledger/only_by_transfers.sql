-- Depth 1 is a statement of a client; apply_transfers writes at depth 2.
create or replace function ledger.only_by_transfers() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'balances move by transfers only' using errcode = '42501';
  end if;
  return null;
end $$;
