-- Mails to people, the addresses that they have proven, and the notices that they get by mail.

-- A link that was sent by mail. Its token is a keyed hash of the nonce, made again when the mail is
-- sent; only the hash of the token finds the row.
create table mail_token (
  id         bigint generated always as identity primary key,
  agent_id   bigint not null references agent,
  purpose    text not null check (purpose in ('address', 'password')),
  address    text not null check (length(address) <= 254), -- to which it was sent
  nonce      bytea not null check (length(nonce) = 32),
  pepper_id  text not null, -- the master key of the keyed hash
  hash       bytea not null unique check (length(hash) = 32), -- SHA-256 of the token
  created_at timestamptz not null default now(),
  ends_at    timestamptz not null,
  used_at    timestamptz -- or replaced: it is good once
);
create index mail_token_of_an_agent on mail_token (agent_id, purpose)
  where used_at is null; -- those that still work
create index mail_token_ends on mail_token (ends_at); -- what is forgotten

-- A mail, recorded with what causes it and sent by a job. Its text is made of `data` when it is
-- sent, so no link rests here.
create table mail (
  id         bigint generated always as identity primary key,
  key        text not null unique check (length(key) <= 200), -- one cause sends one mail
  agent_id   bigint not null references agent,
  kind       text not null check (length(kind) <= 40),
  recipient  text not null check (length(recipient) <= 254),
  data       jsonb not null,
  token_id   bigint references mail_token on delete set null,
  -- shown: this deployment sends none, and shows them to its developer
  status     text not null default 'waiting'
             check (status in ('waiting', 'sent', 'shown', 'refused', 'given_up')),
  fault      text check (length(fault) <= 300), -- of the last attempt
  created_at timestamptz not null default now(),
  ended_at   timestamptz,
  constraint mail_is_over check ((status = 'waiting') = (ended_at is null))
);
create index mail_of_a_kind on mail (agent_id, kind, id); -- the last one of a kind
create index mail_of_a_token on mail (token_id) where token_id is not null; -- its foreign key

-- The address that an owner has proven. It counts only while it is the address of its account.
create table proven_address (
  agent_id  bigint primary key references agent,
  address   text not null check (length(address) <= 254),
  proven_at timestamptz not null default now()
);

-- Addresses that an account had before: the welcome credit of their mailboxes was given.
create table former_address (
  agent_id bigint not null references agent,
  address  text not null check (length(address) <= 254),
  left_at  timestamptz not null default now(),
  primary key (agent_id, address)
);

-- Kinds of notices that an owner has turned off.
create table notice_off (
  agent_id bigint not null references agent,
  kind     text not null check (length(kind) <= 40),
  primary key (agent_id, kind)
);

-- What an owner will be told of in the next mail of a kind. Deleted when it is.
create table notice (
  agent_id bigint not null references agent,
  kind     text not null check (length(kind) <= 40),
  cause    text not null check (length(cause) <= 100), -- each told once
  data     jsonb not null,
  noted_at timestamptz not null default now(),
  primary key (agent_id, kind, cause)
);

-- The last event that notices were made of; a deployment begins with what happens from now on.
create table notice_watermark (
  id bigint not null check (id >= 0)
);
insert into notice_watermark (id) select id from event_watermark;
create unique index notice_watermark_once on notice_watermark ((true)); -- one row
