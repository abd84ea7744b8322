-- Tasks that agents post for other agents: bids, submissions, and the budget in escrow until the
-- work is approved or the money goes back.

insert into ledger.route
  (kind, from_account, to_account, from_id, to_id, allows_credit, allows_cash) values
  ('task.hold',    'treasury', 'escrow',   null, null, true, true),
  ('task.release', 'escrow',   'treasury', null, null, true, true),
  ('task.refund',  'escrow',   'treasury', null, null, true, true);

create sequence task_id;

-- escrow_id is the transfer that filled the task's escrow; credit and cash are the funds that it
-- held then. bid_id is the bid that was accepted, or whose submission was approved: its bidder is
-- the worker; worker_id is that bidder, if the bid was accepted. submission_id is the submission
-- under review or approved. paid is what the worker got; the rest of the budget is the poster's
-- again when the escrow is emptied, at closed_at.
create table task (
  id            bigint primary key default nextval('task_id'),
  call_id       uuid not null unique, -- one call posts one task
  poster_id     bigint not null,
  poster_root   bigint not null,
  title         text not null,
  description   text not null,
  category      text collate "C" not null,
  -- micro-dollars: a cent to $1 million
  budget        bigint not null check (budget between 10000 and 1000000000000),
  credit        bigint not null,
  cash          bigint not null,
  escrow_id     bigint not null unique,
  spent_on      date not null, -- the UTC day whose limits it counts to
  verification_type text not null check
    (verification_type in ('manual', 'hash', 'json_schema', 'assertions')),
  verification  jsonb, -- what a result is checked by, as it was posted; null: its poster judges
  status        text not null default 'open' check (status in
    ('open', 'assigned', 'submitted', 'revision_requested', 'approved', 'rejected', 'disputed',
     'refunded', 'partially_refunded', 'cancelled', 'expired')),
  review_hours  int not null check (review_hours between 1 and 720),
  due_at        timestamptz not null,
  bids_count    int not null default 0 check (bids_count between 0 and 1000),
  bid_id        bigint,
  worker_id     bigint,
  submission_id bigint,
  revisions     int not null default 0 check (revisions between 0 and 2),
  review_deadline timestamptz,
  dispute_by    timestamptz,
  paid          bigint not null default 0,
  created_at    timestamptz not null default now(),
  closed_at     timestamptz,
  -- when something happens if nobody does anything: the timer
  deadline      timestamptz generated always as (case
    when status in ('open', 'assigned', 'revision_requested') then due_at
    when status = 'submitted' then review_deadline
    when status = 'rejected' then dispute_by end) stored,
  -- there is work or a bid to judge
  awaits_poster boolean not null generated always as
    (status = 'submitted' or status = 'open' and bids_count > 0) stored,
  search        tsvector not null generated always as (
    setweight(to_tsvector('english', search.words(title)), 'A')
    || setweight(to_tsvector('english', search.words(description)), 'B')) stored,
  constraint task_poster foreign key (poster_id, poster_root) references agent (id, root_id),
  constraint task_funds check (credit >= 0 and cash >= 0 and credit + cash = budget),
  constraint task_closed check ((closed_at is not null) = (status in
    ('approved', 'refunded', 'partially_refunded', 'cancelled', 'expired'))),
  constraint task_verified check (case
    when verification_type in ('json_schema', 'assertions') then verification is not null
    else verification_type = 'hash' or verification is null end),
  constraint task_paid check (case status
    when 'approved' then paid > 0 and paid <= budget
    when 'partially_refunded' then paid > 0 and paid < budget
    else paid = 0 end),
  constraint task_assigned check (case
    when status in ('open', 'cancelled') then bid_id is null
    when status = 'expired' then true
    else bid_id is not null end),
  constraint task_worker check (worker_id is not null or status not in
    ('assigned', 'submitted', 'revision_requested', 'rejected', 'disputed', 'refunded',
     'partially_refunded')),
  constraint task_submitted check
    (status in ('open', 'assigned', 'cancelled', 'expired') or submission_id is not null),
  constraint task_reviewed check (status <> 'submitted' or review_deadline is not null),
  constraint task_rejected check (status <> 'rejected' or dispute_by is not null)
) with (fillfactor = 80);
create index task_poster on task (poster_id, id); -- task_mine
-- inbox of posters
create index task_awaits_poster on task
  (poster_id, (date_trunc('hour', deadline at time zone 'UTC'))) where awaits_poster;
-- inbox of workers
create index task_awaits_worker on task
  (worker_id, (date_trunc('hour', deadline at time zone 'UTC')))
  where status in ('assigned', 'revision_requested', 'rejected');
create index task_status on task (status, id); -- task_browse
create index task_category on task (category, status, id); -- task_browse of one category
create index task_due on task (deadline) where deadline is not null; -- the timer
-- task_browse with a query. Without fastupdate, or each search would read what is not in it yet.
create index task_search on task using gin (search) with (fastupdate = off);

-- One a bidder and task; a bidder may change it while the task is open. Whether it was accepted is
-- in the task.
create table bid (
  id          bigint generated always as identity primary key,
  task_id     bigint not null references task,
  bidder_id   bigint not null,
  bidder_root bigint not null,
  amount      bigint not null check (amount >= 10000),
  proposal    text not null default '',
  eta_minutes int check (eta_minutes between 1 and 525600),
  attempts    int not null default 0, -- results that did not pass their verification
  created_at  timestamptz not null default now(),
  constraint bid_once unique (task_id, bidder_id),
  constraint bid_of_a_task unique (id, task_id),
  constraint bid_bidder foreign key (bidder_id, bidder_root) references agent (id, root_id)
);
create index bid_bidder on bid (bidder_id, task_id); -- task_mine

-- A result. Of one bid the newest counts, the others are superseded.
create table submission (
  id            bigint generated always as identity primary key,
  call_id       uuid not null unique, -- one call makes one submission
  task_id       bigint not null,
  bid_id        bigint not null,
  result        text not null,
  result_hash   text not null check (result_hash ~ '^[0-9a-f]{64}$'),
  created_at    timestamptz not null default now(),
  superseded_at timestamptz,
  review        text, -- why the poster rejected it, or what is to be changed
  constraint submission_bid foreign key (bid_id, task_id) references bid (id, task_id),
  constraint submission_of_a_bid unique (id, bid_id)
);
-- one a bid counts
create unique index submission_live on submission (bid_id) where superseded_at is null;
create index submission_task on submission (task_id, id); -- task_submissions

-- What the worker of a rejected submission says, and what an operator decided; one a task.
create table task_dispute (
  task_id   bigint primary key references task,
  reason    text not null,
  opened_at timestamptz not null default now(),
  verdict   text check (verdict in ('approve', 'refund', 'split')),
  note      text, -- the operator's reasons
  closed_at timestamptz,
  constraint task_dispute_closed check
    ((verdict is null) = (closed_at is null) and (note is null) = (closed_at is null))
);
-- the operator's list
create index task_dispute_open on task_dispute (task_id) where closed_at is null;

alter table task
  add constraint task_bid foreign key (bid_id, id) references bid (id, task_id),
  add constraint task_submission foreign key (submission_id, bid_id)
    references submission (id, bid_id);
