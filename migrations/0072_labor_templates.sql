-- The form of the answers to a labor task: its labels, examples and options, as they were posted.
-- And deliveries that a poster let time accept.

alter table labor_task
  add column template jsonb check (jsonb_typeof(template) = 'object'); -- null: any answer

alter table labor_verdict
  add column unjudged int not null default 0; -- accepted by time: the poster did not answer
