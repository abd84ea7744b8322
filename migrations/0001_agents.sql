-- Agents, their keys, and the limits on what they may spend.

create sequence agent_id;

-- lineage is the path from the root of the owner tree to the agent itself: a limit of any agent
-- on it binds. A root is its own root_id; the tree's money is the treasury of that id.
create table agent (
  id            bigint primary key default nextval('agent_id'),
  username      text not null check (length(username) between 3 and 64),
  email         text,
  password_hash text,
  owner_id      bigint references agent,
  root_id       bigint not null references agent,
  lineage       bigint[] not null,
  status        text not null default 'active' check (status in ('active', 'suspended')),
  created_at    timestamptz not null default now(),
  reference     uuid not null default gen_random_uuid(), -- names it in payments by chain
  constraint agent_lineage check (lineage[1] = root_id and lineage[cardinality(lineage)] = id),
  constraint agent_of_a_tree unique (id, root_id), -- what rows of a tree refer to
  constraint agent_root check ((owner_id is null) = (root_id = id)),
  -- A root without both is the account of an address that pays by x402.
  constraint agent_root_can_log_in
    check (owner_id is not null or (email is null) = (password_hash is null))
);
-- one name, however it is capitalised
create unique index agent_username on agent (lower(username));
create unique index agent_email on agent (lower(email)); -- one account an address
create index agent_owner on agent (owner_id) where owner_id is not null; -- list_children
create index agent_root on agent (root_id); -- the agents of a tree

-- Orders refer to agents and products without a foreign key, which would probe and lock the row for
-- each of them. So such a row is never deleted, and its key never changes.
\ir functions/is_referred_to.sql
create trigger is_referred_to before delete or truncate or update of id, root_id on agent
  for each statement execute function is_referred_to();
alter table agent enable always trigger is_referred_to;

-- public_id is the part of the key that may be seen; hash is HMAC-SHA256 of the whole key under a
-- pepper derived from the master key of that id.
create table api_key (
  id         bigint generated always as identity primary key,
  public_id  text not null unique,
  agent_id   bigint not null,
  root_id    bigint not null,
  name       text not null,
  scopes     text[] not null
    check (scopes <@ array ['read', 'buy', 'sell'] and cardinality(scopes) > 0),
  hash       bytea not null check (length(hash) = 32),
  pepper_id  text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  expires_at timestamptz, -- it works until then; null: until it is revoked
  last_used_at timestamptz, -- the hour, of the day and not of the call (agents/key_use.ts)
  constraint api_key_agent foreign key (agent_id, root_id) references agent (id, root_id)
) with (fillfactor = 90); -- the hour of its use is a HOT update
create index api_key_agent on api_key (agent_id, id); -- list_keys
-- read twice a second by every API process
create index api_key_revoked on api_key (revoked_at) where revoked_at is not null;
-- the same
create index api_key_expires on api_key (expires_at) where expires_at is not null;

-- The registrations of the last hour, by what their number is limited by: the address of the caller
-- (an IPv4 address, or the /64 of an IPv6 one) and the domain of the email address. Deleted when
-- they count no more.
create table registration (
  id           bigint generated always as identity primary key,
  address      text not null,
  email_domain text not null,
  created_at   timestamptz not null default now()
);
create index registration_address on registration (address, created_at); -- those that count
create index registration_email_domain on registration (email_domain, created_at); -- the same
create index registration_age on registration (created_at); -- those that count no more

-- The welcome credit that was given on each UTC day, in micro-dollars.
create table welcome_credit (
  day     date primary key,
  granted bigint not null check (granted >= 0)
);

-- No row means no limit. Amounts in micro-dollars. Changed under the lock of the tree's treasury,
-- so that no spend which is committed later has read the policy before.
create table policy (
  agent_id                bigint primary key,
  root_id                 bigint not null,
  version                 int not null check (version > 0),
  governance_level        text not null default 'low'
    check (governance_level in ('low', 'medium', 'high')),
  max_spend_per_tx        bigint check (max_spend_per_tx >= 0),
  daily_spend_limit       bigint check (daily_spend_limit >= 0),
  -- Above these an owner has to approve a spend: any; the first purchase from a seller.
  approval_threshold      bigint check (approval_threshold >= 0),
  new_seller_threshold    bigint default 1000000 check (new_seller_threshold >= 0),
  allowed_product_types   text[] not null default '{}', -- empty: all
  auto_suspend_on_anomaly boolean not null default false,
  constraint policy_agent foreign key (agent_id, root_id) references agent (id, root_id)
);

-- What each policy was, and who set it: append-only. The newest version is what the policy is.
create table policy_version (
  agent_id                bigint not null references policy,
  version                 int not null,
  governance_level        text not null,
  max_spend_per_tx        bigint,
  daily_spend_limit       bigint,
  approval_threshold      bigint,
  new_seller_threshold    bigint,
  allowed_product_types   text[] not null,
  auto_suspend_on_anomaly boolean not null,
  set_by                  bigint not null references agent,
  key_id                  bigint, -- the API key that it was set with; null: an owner had to approve
  approval_id             bigint, -- what that owner decided
  call_id                 uuid not null,
  created_at              timestamptz not null default now(),
  primary key (agent_id, version),
  constraint policy_version_allowed check ((key_id is null) = (approval_id is not null))
);

-- Calls that an owner has to allow first. The call itself is the row of its job, which is deferred
-- meanwhile and deleted some days after its end. A call asks once for each policy that it needs an
-- approval of. Who may decide: the agents above policy_of, or the root if it is its own policy.
-- Amounts in micro-dollars.
create table approval (
  id            bigint generated always as identity primary key,
  job_id        uuid not null,
  agent_id      bigint not null, -- who calls
  root_id       bigint not null,
  policy_of     bigint not null references agent, -- of those that ask, the agent nearest the root
  rule          text not null check (rule in
    ('approval_threshold', 'new_seller_threshold', 'governance_level')),
  asks_above    bigint, -- null: it asks about every call of this operation
  operation     text not null,
  amount        bigint not null,
  product_type  text, -- null: it is no spend
  title         text, -- what is paid for, where that is no product and has a title
  changes       jsonb, -- of a policy: whose, and by which fields it would allow more
  product_id    bigint, -- null: nobody sells it
  seller_id     bigint,
  quantity      int not null,
  -- of a call without Idempotency-Key: an equal call that comes while it is pending joins it
  input_hash    bytea,
  status        text not null default 'pending'
    check (status in ('pending', 'approved', 'denied', 'cancelled', 'expired')),
  requested_at  timestamptz not null default now(),
  expires_at    timestamptz not null,
  decided_at    timestamptz,
  decided_by    bigint references agent, -- null: nobody has decided, or it has expired
  key_id        bigint, -- the API key that it was decided with
  constraint approval_once unique (job_id, policy_of),
  constraint approval_needed check (amount > asks_above), -- or there is no such amount
  constraint approval_of_a_spend
    check ((product_type is null) = (asks_above is null) and (changes is null or amount = 0)),
  constraint approval_decided check (case status
    when 'pending' then decided_at is null and decided_by is null
    when 'expired' then decided_at is not null and decided_by is null
    else decided_at is not null and decided_by is not null end),
  constraint approval_key check ((decided_by is null) = (key_id is null)),
  constraint approval_cancelled check (status <> 'cancelled' or decided_by = agent_id),
  constraint approval_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
create unique index approval_pending_once on approval (agent_id, input_hash)
  where status = 'pending'; -- equal calls wait once
create index approval_of_a_tree on approval (root_id, id); -- list_approvals
create index approval_pending on approval (root_id, id) where status = 'pending'; -- the same
create index approval_due on approval (expires_at) where status = 'pending'; -- the timer

\ir functions/approvals/decision_is_final.sql
create trigger decision_is_final before update on approval
  for each row when (old.status <> 'pending') execute function decision_is_final();

-- What was odd about what an agent did, by the rules of shared/policies/anomalies/rules.ts.
create table anomaly (
  id         bigint generated always as identity primary key,
  agent_id   bigint not null,
  root_id    bigint not null,
  rule       text not null,
  seen       bigint not null, -- how many, or how much in micro-dollars
  allowed    bigint not null, -- at most so many, or so much, are not odd
  product_id bigint, -- where it is about one
  since      timestamptz not null, -- what was seen happened from then on
  until      timestamptz not null, -- and up to then; later rows count for the next one
  suspends   boolean not null, -- it has suspended the agent
  found_at   timestamptz not null default now(),
  constraint anomaly_once unique (agent_id, rule, since),
  constraint anomaly_is_odd check (seen > allowed and since <= until),
  constraint anomaly_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
create index anomaly_of_agent on anomaly (agent_id, id); -- monitor_agent
create index anomaly_until on anomaly (rule, until); -- what has been seen already

-- Spends that a policy or the balance refused, counted by each process for two seconds.
create table refusal (
  id       bigint generated always as identity primary key,
  agent_id bigint not null,
  root_id  bigint not null,
  code     text not null,
  count    int not null check (count > 0),
  noted_at timestamptz not null default now(),
  constraint refusal_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
create index refusal_of_agent on refusal (agent_id, id); -- monitor_agent

-- Who suspended an agent and who let it go on: append-only. The newest row of an agent says what
-- its status is, and who may change that: the agent that has set it and those above that one;
-- where an operator has, only operators; where an anomaly has, every agent above.
create table suspension (
  id         bigint generated always as identity primary key,
  agent_id   bigint not null,
  root_id    bigint not null,
  status     text not null check (status in ('active', 'suspended')),
  set_by     bigint references agent,
  key_id     bigint, -- the API key that it was set with
  operator   text, -- the name of the operator who has set it
  anomaly_id bigint references anomaly, -- that has suspended it by itself
  note       text, -- the reasons, which the agent may read
  created_at timestamptz not null default now(),
  constraint suspension_by_one
    check (num_nonnulls(set_by, operator, anomaly_id) = 1 and (set_by is null) = (key_id is null)),
  constraint suspension_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
create index suspension_agent on suspension (agent_id, id); -- the newest of an agent

-- What the agent and every agent below it spent on one UTC day. One row an agent, made with it. The
-- day of a root is the latest of its tree: spend_day says which day a spend counts to.
-- fillfactor leaves room for HOT updates.
create table spend (
  agent_id bigint primary key,
  root_id  bigint not null,
  day      date not null default '-infinity',
  amount   bigint not null default 0 check (amount >= 0),
  constraint spend_agent foreign key (agent_id, root_id) references agent (id, root_id)
) with (fillfactor = 50);

-- What an agent and every agent below it spent on a day before the one in `spend`, less what was
-- refunded since.
create table past_spend (
  id       bigint generated always as identity primary key,
  agent_id bigint not null,
  root_id  bigint not null,
  day      date not null,
  amount   bigint not null check (amount >= 0),
  constraint past_spend_once unique (agent_id, day),
  constraint past_spend_agent foreign key (agent_id, root_id) references agent (id, root_id)
);

-- The when clause spares the spends of the day the call.
\ir functions/past/keep_past_spend.sql
create trigger keep_past_spend after update on spend for each row
  when (old.day < new.day and old.amount > 0) execute function keep_past_spend();
alter table spend enable always trigger keep_past_spend;
