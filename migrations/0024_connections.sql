-- Apps that act for an owner: each is a child agent, whose API keys are the app's access tokens.

-- One row an app and owner, made when the owner first allows it. A second sign-in of the same app
-- is no second agent, and so no second limit.
create table connection (
  id         bigint generated always as identity primary key,
  owner_id   bigint not null, -- who allowed it
  agent_id   bigint not null unique, -- the child that the app acts as
  root_id    bigint not null,
  app        text not null, -- the URL that names it, or its name and where it is called back
  name       text not null, -- what the app calls itself
  host       text not null, -- where a browser is sent back to
  is_proven  boolean not null, -- a document at that URL names it, so nobody else can use the name
  scopes     text[] not null
    check (scopes <@ array ['read', 'buy', 'sell'] and cardinality(scopes) > 0),
  created_at timestamptz not null default now(),
  allowed_at timestamptz not null default now(), -- the last time that the owner did
  revoked_at timestamptz,
  constraint connection_once unique (owner_id, app),
  constraint connection_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint connection_owner foreign key (owner_id, root_id) references agent (id, root_id)
);
create index connection_of_owner on connection (owner_id, id); -- list_connections

-- The access tokens of an app are keys of its agent. A key whose scopes were changed is looked up
-- anew by every process.
alter table api_key add column connection_id bigint references connection,
                    add column changed_at timestamptz; -- when its scopes were
-- those of a connection, newest last
create index api_key_connection on api_key (connection_id, id) where connection_id is not null;
-- read twice a second by every API process
create index api_key_changed on api_key (changed_at) where changed_at is not null;

-- What the authorization server (api/oauth) keeps for a time: sign-ins that go on, codes, tokens.
-- Each is found by the SHA-256 of its id, and the id itself is nowhere.
create table oauth_item (
  id            bytea primary key check (length(id) = 32),
  model         text not null,
  grant_id      text, -- by which all of one sign-in ends
  connection_id bigint references connection,
  key_id        bigint, -- of an access token: the key that it is
  payload       jsonb not null,
  used_at       timestamptz,
  expires_at    timestamptz not null,
  constraint oauth_item_key check ((key_id is null) = (model <> 'AccessToken'))
);
create index oauth_item_grant on oauth_item (grant_id) where grant_id is not null; -- its end
create index oauth_item_connection on oauth_item (connection_id)
  where connection_id is not null; -- its end
create index oauth_item_expired on oauth_item (expires_at); -- what counts no more

-- An owner who allows an app limits it without a key: signed in by name and password.
alter table policy_version drop constraint policy_version_allowed,
  add constraint policy_version_allowed check (key_id is null or approval_id is null);
