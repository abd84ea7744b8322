-- No program of 0.2.0 reads or writes these, nor does a later one.

-- How a tree answered gold units, before 0066.
drop table labor_record;

-- Payments of nobody: rows of unclaimed payments say more since 0075.
alter table chain_cursor drop column unbound;
