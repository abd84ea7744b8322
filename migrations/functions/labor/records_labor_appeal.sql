-- Keeps the rejection that an appeal is against, and what became of the appeal.
create or replace function records_labor_appeal() returns trigger language plpgsql as $$
begin
  if new.status = 'appealed' then
    insert into labor_dispute (claim_id, rejected_by, rejection)
    values (new.id, old.judged_by, old.reason)
    on conflict do nothing;
  else
    update labor_dispute
       set verdict = case new.status when 'accepted' then 'accept' else 'reject' end,
           decided_by = new.judged_by, closed_at = now(),
           note = case when new.status = 'rejected' then new.reason end
     where claim_id = new.id and closed_at is null;
  end if;
  return null;
end $$;
