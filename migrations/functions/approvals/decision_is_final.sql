-- The decision about a call stays as it is.
create or replace function decision_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'a decision about an approval is final' using errcode = '42501';
end $$;
