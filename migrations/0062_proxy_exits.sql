-- What targets see of a proxy: a list gives one proxy of each exit, and TLS passes or does not.
alter table proxy
  -- 48 bits of a hash of a public exit address; null: the proxy counts as an exit of its own
  add column exit_key bigint,
  -- whether a page came by TLS under a valid certificate; null: never tried
  add column https boolean;
-- those of a sale of which its buyer was told that TLS does not pass
alter table proxy_sale add column without_tls int[];
