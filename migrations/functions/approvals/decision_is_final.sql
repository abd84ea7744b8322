-- What was decided about a call stays decided.
create or replace function decision_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'a decision about an approval is final' using errcode = '42501';
end $$;
