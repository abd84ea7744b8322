-- no transaction
drop index concurrently if exists labor_unit_gold;
-- take_labor_task: a gold unit is drawn
create index concurrently labor_unit_gold on labor_unit (task_id, n) where expected is not null;
drop index concurrently if exists labor_unit_line;
-- labor_results
create index concurrently labor_unit_line on labor_unit (task_id, line) where line is not null;
