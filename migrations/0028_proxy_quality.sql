-- What buyers are told of a proxy beside its country: all of it null until a check has shown it.
alter table proxy
  -- what the judge saw of forwarding headers (shared/proxies/checks/forwarding.ts)
  add column anonymity    text check (anonymity in ('elite', 'anonymous', 'transparent')),
  add column city         text check (length(city) between 1 and 100),
  add column asn          bigint check (asn between 1 and 4294967295),
  -- the last 24 hours, four bytes an hour (shared/proxies/checks/last_day.ts), and their last hour,
  -- counted from 1970
  add column day          bytea check (length(day) = 96),
  add column day_hour     int,
  -- read off those hours at the last check
  add column success_rate real check (success_rate between 0 and 1),
  add column uptime       real check (uptime between 0 and 1);

-- proxy_list by network, in the order of the pool; empty without a database of networks
create index proxy_of_asn on proxy (asn, position)
  where state in ('hot', 'warm') and asn is not null;
-- the same by city
create index proxy_of_city on proxy (lower(city), position)
  where state in ('hot', 'warm') and city is not null;
