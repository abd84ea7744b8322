create or replace function ledger.opens_empty() returns trigger language plpgsql as $$
begin
  if exists (
    select from opened
     where (credit, cash, escrow_credit, escrow_cash, inflow, owed) <> (0, 0, 0, 0, 0, 0)
  ) then
    raise exception 'a treasury opens empty' using errcode = '42501';
  end if;
  return null;
end $$;
