-- Whether what a version delivered is still needed: by a deal that is not final, by a purchase that
-- read it as the delivered one and is not committed, or to drop users from its server.
create or replace function dataset_version_stays(p_dataset bigint, p_version int) returns boolean
language plpgsql as $$
begin
  return exists (select from dataset_sale
                  where dataset_id = p_dataset and version = p_version and is_open)
      or exists (select from dataset_version
                  where dataset_id = p_dataset and version = p_version
                    and superseded_at > clock_timestamp() - interval '1 hour')
      or exists (select from dataset_grant
                  where dataset_id = p_dataset and ends_at <= clock_timestamp()
                    and dropped_at is null and attempts < 6);
end $$;
