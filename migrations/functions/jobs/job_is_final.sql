-- An answer is final once it is written.
create or replace function job_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'a finished job is final' using errcode = '42501';
end $$;
