-- Appeals of labor, with the rejection that each is against: the decision replaces that in the
-- claim. Of older ones it is not known any more.
create table labor_dispute (
  claim_id    bigint primary key references labor_claim,
  rejected_by text, -- as labor_claim.judged_by
  rejection   text, -- its reason
  opened_at   timestamptz not null default now(),
  verdict     text check (verdict in ('accept', 'reject')),
  decided_by  text,
  note        text, -- the operator's reasons
  closed_at   timestamptz,
  constraint labor_dispute_closed check ((verdict is null) = (closed_at is null)
    and (decided_by is null) = (closed_at is null) and (note is null or closed_at is not null))
);
create index labor_dispute_open on labor_dispute (claim_id) where closed_at is null; -- the audit

-- A trigger, because processes of the release before appeal and decide too.
\ir functions/labor/records_labor_appeal.sql
create trigger records_labor_appeal after update of status on labor_claim
  for each row when (
    new.status = 'appealed' and old.status = 'rejected'
    or old.status = 'appealed' and new.status in ('accepted', 'rejected'))
  execute function records_labor_appeal();
alter table labor_claim enable always trigger records_labor_appeal;

insert into labor_dispute (claim_id, rejected_by, rejection)
select id, judged_by, reason from labor_claim where status = 'appealed' and closed_at is null;
