-- Datasets: a paid buyer is let in or gets its money back, and sees before what it buys.

-- kind of the fault, which says in our words why the user could not be made; null: none is known
alter table dataset_grant add column cause text;
-- what the seller should know of a version that passed its check
alter table dataset_version add column warning text;

-- What buyers see before they buy: the licence, and of rows, if the seller wants that, columns and
-- so many of the first rows; preview_rows is null for no preview.
alter table dataset add column licence text,
                    add column preview_rows int check (preview_rows between 0 and 5);
-- columns and first rows of the version, as its seller shows them to everybody
alter table dataset_version add column preview json;

-- access_by: the buyer asked for its access to a dataset and has none yet; it gets its money back
-- then. Until then no timer pays the seller. access_failed: the last attempt has failed.
alter table orders add column access_by timestamptz,
                   add column access_failed boolean not null default false;

-- A trigger, because programs of the release before make grants too.
\ir functions/datasets/owes_access.sql
create trigger owes_access after insert or update of version, fault on dataset_grant
  for each row when (new.order_id is not null) execute function owes_access();
alter table dataset_grant enable always trigger owes_access;

update orders o set access_by = now() + interval '7 days', access_failed = g.fault is not null
  from dataset_grant g
 where g.order_id = o.id and g.version = 0 and o.status in ('escrow', 'disputed');
