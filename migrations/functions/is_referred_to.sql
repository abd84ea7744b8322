-- Refuses the change: other rows refer to these without a foreign key.
create or replace function is_referred_to() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are referred to: they stay, and so do their keys', tg_table_name
    using errcode = '23503';
end $$;
