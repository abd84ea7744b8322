-- Web sessions: people who have signed in, owners at /console and operators at /admin. A session
-- ends when its row is deleted.

create table web_session (
  id         bigint generated always as identity primary key,
  hash       bytea not null check (length(hash) = 32), -- SHA-256 of a token of 256 random bits
  agent_id   bigint,
  root_id    bigint,
  operator   text, -- the name of an operator
  device     text not null check (length(device) <= 200), -- as its browser names itself
  address    text not null,
  created_at timestamptz not null default now(),
  seen_at    timestamptz not null default now(), -- written once a minute
  proved_at  timestamptz not null default now(), -- when its person last gave a proof
  ends_at    timestamptz not null,
  constraint web_session_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint web_session_of_one check (num_nonnulls(agent_id, operator) = 1
    and (agent_id is null) = (root_id is null))
);
create unique index web_session_hash on web_session (hash); -- found with each request
-- the sessions of an owner
create index web_session_of_an_agent on web_session (agent_id, id) where agent_id is not null;
create index web_session_ends on web_session (ends_at); -- those that are over

-- Attempts to sign in that failed, or are being looked at, by what their number is limited by: a
-- name, a browser that was signed in before, an address. Deleted when they count no more.
create table sign_in_attempt (
  id         bigint generated always as identity primary key,
  subject    text not null check (length(subject) <= 100),
  created_at timestamptz not null default now()
);
create index sign_in_attempt_subject on sign_in_attempt (subject, created_at); -- those that count
create index sign_in_attempt_age on sign_in_attempt (created_at); -- those that count no more
