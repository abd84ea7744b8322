create or replace function ledger.append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger.% is append-only', tg_table_name using errcode = '42501';
end $$;
