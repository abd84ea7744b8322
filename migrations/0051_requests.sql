-- Calls by keys of agents, for their owners: a log, not the books. A row may be missing, and may
-- stand for several calls. Rows expire by emptying a partition: no row is deleted by itself, and no
-- row is changed.
create sequence request_id;
create table request (
  id         bigint not null default nextval('request_id'), -- orders rows of one millisecond
  slot       smallint not null, -- the period of two days that `at` is in, modulo 6
  root_id    bigint not null, -- no references: they would cost more than the row
  agent_id   bigint not null,
  at         timestamptz not null, -- the call began; of the last call that the row stands for
  interface  text not null,
  operation  text collate "C", -- null: several, see the limits in request_log.ts
  status     smallint not null, -- as REST gives it
  code       text, -- of a refusal
  ms         real not null, -- to the answer; of several calls the mean
  cost       bigint, -- micro-dollars of all calls of the row; null: their answers say none
  calls      int not null check (calls > 0), -- how many calls the row stands for
  request_id text, -- null: several
  job_id     uuid,
  answer     text -- the beginning of the answer of an error
) partition by list (slot);
alter sequence request_id owned by request.id;

create table request_0 partition of request for values in (0);
create table request_1 partition of request for values in (1);
create table request_2 partition of request for values in (2);
create table request_3 partition of request for values in (3);
create table request_4 partition of request for values in (4);
create table request_5 partition of request for values in (5);

create index request_of_tree on request (root_id, at, id); -- list_requests, request_costs
create index request_of_operation on request (root_id, operation, at, id); -- of one operation
create index request_of_agent on request (agent_id, at, id); -- of an agent and those below it
-- list_requests of errors, of a tree
create index request_refused on request (root_id, at, id) where status >= 400;
-- the same of an agent
create index request_of_agent_refused on request (agent_id, at, id) where status >= 400;
