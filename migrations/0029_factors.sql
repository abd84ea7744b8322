-- What owners prove themselves by beside a password, how a lost one is reset, and what they have
-- chosen for their console.

-- One row an owner that has changed any of it; without one what shared/agents/sessions/settings.ts
-- says holds.
create table owner_setting (
  agent_id  bigint primary key references agent,
  ask_above bigint not null check (ask_above between 0 and 1000000000000), -- micro-dollars
  shortcuts boolean not null, -- single keys do something
  times     text not null check (times in ('mine', 'utc')),
  theme     text not null check (theme in ('system', 'light', 'dark'))
);

-- The secret of an owner's authenticator app (RFC 6238). Without confirmed_at no code was given
-- yet, and none is asked for.
create table app_code (
  agent_id     bigint primary key references agent,
  secret       bytea not null, -- sealed
  last_step    bigint not null default 0, -- of the last code that was taken: each once
  created_at   timestamptz not null default now(),
  confirmed_at timestamptz
);

-- In place of a code of the app. Deleted when it was used.
create table recovery_code (
  agent_id bigint not null references agent,
  hash     bytea not null check (length(hash) = 32), -- SHA-256 of 80 random bits
  primary key (agent_id, hash)
);

-- Passkeys (WebAuthn): by its credential id an owner is found who signs in without a name.
create table passkey (
  id            bigint generated always as identity primary key,
  agent_id      bigint not null references agent,
  credential_id text not null unique check (length(credential_id) <= 1400), -- base64url
  public_key    bytea not null, -- COSE
  counter       bigint not null check (counter >= 0), -- as its device counts; 0: it does not
  transports    text[] not null,
  name          text not null check (length(name) between 1 and 64),
  created_at    timestamptz not null default now(),
  used_at       timestamptz
);
create index passkey_of_an_agent on passkey (agent_id, id); -- those of an owner

-- Challenges that were answered: each once. Those that were not are nowhere; they say themselves,
-- signed, for whom and until when they are.
create table answered_challenge (
  hash    bytea primary key check (length(hash) = 32),
  ends_at timestamptz not null
);
create index answered_challenge_ends on answered_challenge (ends_at); -- those that are over

-- When owners were last told that somebody guesses at their password.
create table guess_notice (
  agent_id bigint primary key references agent,
  told_at  timestamptz not null
);

-- Passwords that take effect later, asked for with an API key.
create table password_reset (
  id            bigint generated always as identity primary key,
  agent_id      bigint not null references agent,
  key_id        bigint not null, -- that it was asked for with
  password_hash text, -- until it is over
  status        text not null default 'waiting' check (status in ('waiting', 'done', 'stopped')),
  created_at    timestamptz not null default now(),
  due_at        timestamptz not null,
  ended_at      timestamptz,
  constraint password_reset_is_over check ((status = 'waiting') = (ended_at is null)
    and (status = 'waiting') = (password_hash is not null))
);
-- one of an owner at a time
create unique index password_reset_waiting on password_reset (agent_id) where status = 'waiting';
create index password_reset_due on password_reset (due_at) where status = 'waiting'; -- its time
create index password_reset_of_an_agent on password_reset (agent_id, id); -- those that are over
create index password_reset_ended on password_reset (ended_at)
  where ended_at is not null; -- what is forgotten
