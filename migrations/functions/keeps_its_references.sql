-- What a row refers to was checked when it was inserted.
create or replace function keeps_its_references() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % keeps what it refers to', tg_table_name using errcode = '23503';
end $$;
