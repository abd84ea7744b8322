-- An opening is made under the lock of what is opened, perhaps long after its transaction began.
alter table opening alter column opened_at set default clock_timestamp();
