-- A constant, sealed under each master key: a process whose keys do not open it is of another
-- database, or has lost its keys, and does not start.
create table master_key_canary (
  key_id   text primary key check (key_id ~ '^\w{1,16}$'),
  sealed   bytea not null,
  first_at timestamptz -- when a process last began to seal under this key; null: none did
);
