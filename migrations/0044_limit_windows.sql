-- What of its limits each tree of agents, or address, has used: a row a limit and holder, for the
-- window that began with the first use after the one before. Never more than the limit, unless the
-- limit was lowered since.
create table limit_window (
  kind      text not null, -- which limit
  holder    text not null, -- whose, as `tree 12 task 4`
  used      bigint not null check (used >= 0),
  resets_at timestamptz not null, -- when all of it is free again
  primary key (kind, holder)
) with (fillfactor = 70);
create index limit_window_over on limit_window (resets_at); -- forget_old_rows

create index dataset_rows_of_tree on dataset (root_id) where type = 'json'; -- what a tree stores
create index product_of_tree on product (root_id); -- the same
-- the same
create index product_version_delivers on product_version (product_id) where content is not null;

-- take_labor_task: units of a task that a tree gave up
create index labor_claim_given_up on labor_claim (root_id, task_id, closed_at)
  where status in ('released', 'expired');
