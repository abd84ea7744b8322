-- Notes when a version of a dataset on sale was replaced: purchases that read it may be in flight.
create or replace function supersedes_version() returns trigger language plpgsql as $$
begin
  update dataset_version set superseded_at = clock_timestamp()
   where dataset_id = new.id and version = old.version;
  return null;
end $$;
