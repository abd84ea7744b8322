-- What is known of the workers and posters of labor, gold units that are drawn, and qualifications.

-- Verdicts on the deliveries of a tree to the tasks of another on a UTC day, but for those by a
-- schema and by time. A record counts ninety days.
create table labor_verdict (
  root_id     bigint not null, -- the worker's
  poster_root bigint not null,
  day         date not null,
  judged      int not null default 0,
  accepted    int not null default 0, -- a later day may add an accepted appeal
  gold_seen   int not null default 0,
  gold_right  int not null default 0,
  appeals_won  int not null default 0,
  appeals_lost int not null default 0,
  primary key (root_id, poster_root, day)
) with (fillfactor = 80);
create index labor_verdict_poster on labor_verdict (poster_root, day); -- the record of a poster
create index labor_verdict_day on labor_verdict (day); -- old ones are deleted
insert into labor_verdict (root_id, poster_root, day, judged, accepted, gold_seen, gold_right)
select c.root_id, t.poster_root, (c.delivered_at at time zone 'UTC')::date, count(*),
       count(*) filter (where c.status = 'accepted'),
       count(*) filter (where u.expected is not null),
       count(*) filter (where u.expected is not null and c.status = 'accepted')
  from labor_claim c join labor_task t on t.id = c.task_id join labor_unit u on u.id = c.unit_id
 where c.judged_by in ('gold', 'consensus', 'poster', 'operator')
   and c.delivered_at > now() - interval '90 days'
 group by 1, 2, 3;

-- Workers that a poster gets no more work from.
create table labor_block (
  poster_root bigint not null,
  root_id     bigint not null,
  agent_id    bigint not null, -- of that tree, as it was named
  created_at  timestamptz not null default now(),
  primary key (poster_root, root_id),
  constraint labor_block_agent foreign key (agent_id, root_id) references agent (id, root_id)
);

alter table labor_task
  add column gold int not null default 0, -- units with a known answer
  add column worker_units_max int check (worker_units_max between 1 and 100000); -- for one tree
update labor_task t
   set gold = (select count(*) from labor_unit u where u.task_id = t.id and u.expected is not null)
 where closed_at is null;
alter table labor_unit
  add column voided_at timestamptz, -- its known answer was found to be wrong: it judges nobody
  -- Its place among the units as they were sent; null: n. In a task with known answers n is drawn,
  -- because a break in the order of payloads would show which these are.
  add column line int;
alter table labor_worker
  add column delivered int not null default 0,
  add column gold_taken int not null default 0; -- gold units that were drawn for it
