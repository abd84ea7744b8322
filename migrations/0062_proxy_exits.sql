-- Proxies with one exit: a list gives one of them.
alter table proxy
  -- 48 bits of a hash of a public exit address; null: the proxy counts as an exit of its own
  add column exit_key bigint;
