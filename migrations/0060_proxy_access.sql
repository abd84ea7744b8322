-- Access to the rotating proxies beside the key itself.

-- Addresses whose clients need no password. One stands for one key, or nobody could say who pays.
create table proxy_address (
  address  inet primary key
             check (masklen(address) = case family(address) when 4 then 32 else 128 end),
  agent_id bigint not null references proxy_key on delete cascade,
  added_at timestamptz not null default now()
);
create index proxy_address_agent on proxy_address (agent_id); -- the list of a key

-- The last connection of each agent that was refused, and why: SOCKS5 has only numbers for that.
create table proxy_refusal (
  agent_id   bigint primary key references agent,
  code       text not null,
  message    text not null,
  refused_at timestamptz not null
);
