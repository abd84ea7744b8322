-- Leaves out of a delete what was sold and is still needed: whoever renews a dataset deletes all
-- earlier versions, also a program of the release before.
create or replace function keeps_sold_parts() returns trigger language plpgsql as $$
begin
  if dataset_version_stays(old.dataset_id, old.version) then return null; end if;
  return old;
end $$;
