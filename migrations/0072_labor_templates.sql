-- The form of the answers to a labor task: its labels, examples and options, as they were posted.

alter table labor_task
  add column template jsonb check (jsonb_typeof(template) = 'object'); -- null: any answer
