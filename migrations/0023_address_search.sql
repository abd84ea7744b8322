-- Searches read the addresses of agents once, and then only those that were written since.

-- The transaction that wrote the row: all of earlier ones are known to whoever has read up to it.
alter table deposit_address add written_by xid8 not null default pg_current_xact_id();
create index deposit_address_written on deposit_address (family, written_by); -- searches of chains
