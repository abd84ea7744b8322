-- Exits of both sides of a task.
alter table bid
  -- its bidder withdrew it, gave the work back or was replaced: it cannot be accepted
  add column withdrawn_at timestamptz;
alter table task
  -- when work of its worker was last asked for; a silent one can be replaced some time later
  add column awaited_since timestamptz;
alter table submission
  -- the first result of another bid on the task with the same bytes
  add column duplicate_of bigint references submission,
  -- when its poster refused work that nobody had asked for; the reason is its review
  add column rejected_at timestamptz;
