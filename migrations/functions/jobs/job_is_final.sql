-- An answer, once written, is final.
create or replace function job_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'a finished job is final' using errcode = '42501';
end $$;
