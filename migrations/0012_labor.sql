-- Labor: small units of work that many agents do, each for the same reward, which is in escrow
-- until the work is accepted or the money goes back.

insert into ledger.route
  (kind, from_account, to_account, from_id, to_id, allows_credit, allows_cash, in_parts) values
  ('labor.hold',    'treasury', 'escrow',   null, null, true, true, false),
  ('labor.release', 'escrow',   'treasury', null, null, true, true, true),
  ('labor.refund',  'escrow',   'treasury', null, null, true, true, false);

create sequence labor_task_id;

-- A task that is open gives out its units; one that is paused does not for now. One that was
-- cancelled or is expired gives out no more; it is closed when nothing of it waits any more, and
-- what is left of its budget is its poster's again.
create table labor_task (
  id            bigint primary key default nextval('labor_task_id'),
  call_id       uuid not null unique, -- one call posts one task
  poster_id     bigint not null,
  poster_root   bigint not null,
  kind          text not null check
    (kind in ('labeling', 'transcription', 'translation', 'classification', 'moderation')),
  title         text not null,
  instructions  text not null,
  -- micro-dollars for each accepted delivery
  reward        bigint not null check (reward between 1000 and 1000000000),
  units         int not null check (units between 1 and 100000),
  overlap       smallint not null, -- deliveries of each unit
  max_overlap   smallint not null, -- with those that settle a draw
  budget        bigint not null check (budget <= 1000000000000),
  spent_on      date not null, -- the UTC day whose limits it counts to
  lease_seconds int not null check (lease_seconds between 30 and 86400),
  verification  text not null check (verification in ('gold', 'consensus', 'manual', 'schema')),
  json_schema   jsonb, -- of verification schema: what an answer must fit, as it was posted
  similarity    real not null check (similarity between 0.5 and 1), -- from which two answers agree
  min_accuracy  real check (min_accuracy between 0 and 1), -- of whoever takes a unit
  auto_accept_hours int not null check (auto_accept_hours between 1 and 720),
  status        text not null default 'open' check
    (status in ('open', 'paused', 'completed', 'cancelled', 'expired')),
  due_at        timestamptz not null,
  accepted      int not null default 0, -- deliveries
  paid          bigint not null default 0, -- for these
  created_at    timestamptz not null default now(),
  closed_at     timestamptz,
  constraint labor_task_poster foreign key (poster_id, poster_root) references agent (id, root_id),
  constraint labor_task_overlap check (overlap >= 1 and max_overlap between overlap and 10),
  constraint labor_task_schema check ((verification = 'schema') = (json_schema is not null)),
  constraint labor_task_consensus check (verification <> 'consensus' or overlap >= 2),
  constraint labor_task_budget check (budget = reward * units * max_overlap),
  constraint labor_task_paid check (paid = accepted * reward and paid <= budget),
  constraint labor_task_closed check (case status
    when 'open' then closed_at is null when 'paused' then closed_at is null
    when 'completed' then closed_at is not null else true end)
) with (fillfactor = 80);
create index labor_task_poster on labor_task (poster_id, id); -- list_labor_tasks of one's own
create index labor_task_waits on labor_task (poster_id) where closed_at is null; -- inbox
create index labor_task_open on labor_task (id) where status = 'open'; -- list_labor_tasks
-- list_labor_tasks of a kind
create index labor_task_kind on labor_task (kind, id) where status = 'open';
-- the timer
create index labor_task_due on labor_task (due_at) where status in ('open', 'paused');

-- The money of a hundred units. What an escrow holds is computed from all that left it, so one for
-- a hundred thousand units would be slow to pay from. escrow_id is the transfer that filled it.
create table labor_escrow (
  id        bigint generated always as identity primary key,
  task_id   bigint not null references labor_task,
  first_n   int not null,
  escrow_id bigint not null unique,
  credit    bigint not null,
  cash      bigint not null,
  paid      bigint not null default 0,
  constraint labor_escrow_once unique (task_id, first_n),
  constraint labor_escrow_funds check
    (credit >= 0 and cash >= 0 and paid >= 0 and paid <= credit + cash)
) with (fillfactor = 80);

-- n counts from 1. free is how many more deliveries of it may be begun now. expected is the known
-- answer of a gold unit. given_up_at: when another gave it up.
create table labor_unit (
  id          bigint generated always as identity primary key,
  task_id     bigint not null references labor_task,
  n           int not null,
  payload     text not null,
  expected    text,
  wanted      smallint not null, -- deliveries, with those that settle a draw
  free        smallint not null check (free between 0 and wanted),
  given_up_at timestamptz,
  answer      text, -- what most have answered; null: not decided
  constraint labor_unit_once unique (task_id, n),
  constraint labor_unit_of_a_task unique (id, task_id)
) with (fillfactor = 80);
create index labor_unit_free on labor_unit (task_id, n) where free > 0; -- take_labor_task
-- take_labor_task: what others gave up
create index labor_unit_given_up on labor_unit (task_id, given_up_at)
  where free > 0 and given_up_at is not null;

-- What a tree has to do with a task. position: it has been offered the units up to this one.
create table labor_worker (
  task_id    bigint not null references labor_task,
  root_id    bigint not null,
  position   int not null default 0,
  gold_seen  int not null default 0, -- gold units that it answered
  gold_right int not null default 0 check (gold_right <= gold_seen),
  primary key (task_id, root_id)
) with (fillfactor = 80);

-- The gold units that a tree has answered in all tasks.
create table labor_record (
  root_id    bigint primary key,
  gold_seen  int not null default 0,
  gold_right int not null default 0 check (gold_right <= gold_seen)
) with (fillfactor = 80);

-- A unit that an agent has taken. due_at is when something happens if nobody does anything: of a
-- claimed one the lease ends, of one that waits to be judged it is accepted, of a rejected one it
-- is too late to appeal. It is closed when nothing can become of it any more; until then its reward
-- stays in the escrow.
create table labor_claim (
  id           bigint generated always as identity primary key,
  task_id      bigint not null,
  unit_id      bigint not null,
  agent_id     bigint not null,
  root_id      bigint not null,
  status       text not null default 'claimed' check (status in
    ('claimed', 'verifying', 'accepted', 'rejected', 'appealed', 'released', 'expired')),
  taken_at     timestamptz not null default now(),
  due_at       timestamptz,
  submission   text,
  delivered_at timestamptz,
  for_poster   boolean not null default false, -- no rule judges it, or has: its poster is to
  judged_by    text check
    (judged_by in ('gold', 'consensus', 'schema', 'poster', 'timeout', 'operator')),
  reason       text, -- of a rejection
  appeal       text,
  closed_at    timestamptz,
  constraint labor_claim_unit foreign key (unit_id, task_id) references labor_unit (id, task_id),
  constraint labor_claim_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint labor_claim_delivered check ((submission is not null) = (delivered_at is not null)
    and (status in ('claimed', 'released', 'expired')) = (submission is null)),
  constraint labor_claim_closed check (case status
    when 'rejected' then true
    else (closed_at is not null) = (status in ('accepted', 'released', 'expired')) end),
  constraint labor_claim_judged check
    ((judged_by is not null) = (status in ('accepted', 'rejected', 'appealed'))),
  constraint labor_claim_due check (status not in ('claimed', 'rejected') or due_at is not null)
) with (fillfactor = 80);
-- one a tree and unit, but for those that it gave up
create unique index labor_claim_once on labor_claim (unit_id, root_id)
  where status not in ('released', 'expired');
-- take_labor_task: leases that have ended
create index labor_claim_lapsed on labor_claim (task_id, due_at) where status = 'claimed';
-- take_labor_task: how many a tree has; and its deliveries that are judged by gold units
create index labor_claim_held on labor_claim (root_id, task_id, status) where closed_at is null;
create index labor_claim_due on labor_claim (due_at) where closed_at is null; -- the timer
-- inbox of posters; whether one waits
create index labor_claim_open on labor_claim (task_id, for_poster, status, due_at)
  where closed_at is null;
create index labor_claim_task on labor_claim (task_id, id); -- labor_claims
-- inbox of workers
create index labor_claim_awaits_worker on labor_claim
  (agent_id, status, (date_trunc('hour', due_at at time zone 'UTC'))) where closed_at is null;
create index labor_claim_agent on labor_claim (agent_id, id); -- labor_claims of one's own
-- the operator's list
create index labor_claim_appealed on labor_claim (id)
  where status = 'appealed' and judged_by = 'poster';

-- Units that were uploaded for a task that is not posted yet: a row a call. upload_id is the id of
-- the first.
create table labor_upload (
  id         bigint generated always as identity primary key,
  upload_id  bigint not null,
  agent_id   bigint not null,
  root_id    bigint not null,
  after      int not null, -- units of the rows before
  units      int not null check (units >= 1 and after + units <= 100000),
  gold       int not null,
  lines      jsonb not null,
  created_at timestamptz not null default now(),
  constraint labor_upload_once unique (upload_id, after),
  constraint labor_upload_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
create index labor_upload_of_tree on labor_upload (root_id); -- what a tree stores
