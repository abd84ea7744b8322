-- Providers of chains: what they are asked, and a second look at what they have told.

-- Questions to each provider by day. Redis counts them, and note_providers writes them here.
create table chain_provider_day (
  rail       text not null, -- or what else it is asked for, as prices
  provider   text not null, -- its host, with a number if several have the same
  day        date not null, -- by UTC
  calls      bigint not null, -- questions, of which a request may have many
  requests   bigint not null,
  refused    bigint not null, -- because of their size, their rate or their age
  blocks     bigint not null, -- read whole
  batch      int not null, -- questions that it takes in one request
  log_blocks int not null, -- blocks whose logs it tells in one question
  gap_ms     int not null, -- time between two requests that it wants
  fault      text, -- why it did not answer last, redacted
  first_at   timestamptz not null default now(),
  seen_at    timestamptz not null default now(),
  primary key (rail, provider, day)
) with (fillfactor = 50);
create index chain_provider_day_day on chain_provider_day (day); -- old ones are deleted

-- Why too few providers have answered about a wallet that pays, so that nothing is paid.
alter table hot_wallet
  add column unanswered    text, -- redacted; null: enough answered
  add column unanswered_at timestamptz, -- since when
  add constraint hot_wallet_unanswered
    check ((unanswered is null) = (unanswered_at is null));

-- An hour after the search, lists and filters are read again: a provider may have left out some.
alter table chain_cursor
  add column looked_again bigint, -- the last block that was looked at again; null: not begun
  add column again_goal   bigint, -- up to here, at again_at
  add column again_at     timestamptz, -- when it goes on; null: at once
  add column found_again  bigint not null default 0; -- payments that the search had not been told
