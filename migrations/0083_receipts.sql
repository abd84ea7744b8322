-- Receipts: what became of each deal, signed, and chained by tree of agents.

-- Keys that receipts are signed with (Ed25519). The private half is erased when another replaces
-- it, so that nobody can sign with an old key; the public half is needed for ever.
create table receipt_key (
  id         bigint generated always as identity primary key,
  kid        text not null unique, -- its thumbprint (RFC 7638)
  public_key text not null check (public_key ~ '^[A-Za-z0-9_-]{43}$'), -- x of the JWK
  sealed     bytea, -- d of the JWK
  header     text not null, -- the protected header of what it signs, in base64url
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  constraint receipt_key_erased check ((sealed is null) = (retired_at is not null))
);
-- one key signs
create unique index receipt_key_in_use on receipt_key ((true)) where retired_at is null;

-- Final. Ids have no gap and rise with time. hash is that of the whole JWS, and the document names
-- the hash of the receipt before, of each of its trees.
create table receipt (
  id         bigint primary key,
  kind       text not null check (kind in
    ('order', 'task', 'labor_unit', 'labor_refund', 'deposit', 'reversal', 'withdrawal',
     'charges')),
  object_id  bigint not null, -- of charges: the first transfer
  payer_id   bigint references agent,
  payee_id   bigint references agent,
  key_id     bigint not null references receipt_key,
  document   text not null, -- signed as it is here
  signature  bytea not null check (octet_length(signature) = 64),
  hash       bytea not null check (octet_length(hash) = 32),
  salt       text, -- for whoever may see what was delivered; null: nothing was hashed with it
  issued_at  timestamptz not null,
  constraint receipt_once unique (kind, object_id),
  constraint receipt_party check (num_nonnulls(payer_id, payee_id) > 0)
);
-- list_receipts
create index receipt_payer on receipt (payer_id, id) where payer_id is not null;
-- list_receipts
create index receipt_payee on receipt (payee_id, id) where payee_id is not null;

-- The last receipt of each tree.
create table receipt_head (
  root_id bigint primary key references agent,
  hash    bytea not null
) with (fillfactor = 50);

-- The hash tree of the receipts of each day (RFC 9162, section 2.1), signed. Final.
create table receipt_day (
  day       date primary key,
  first_id  bigint not null,
  count     bigint not null check (count >= 0),
  root_hash bytea not null check (octet_length(root_hash) = 32),
  blocks    bytea not null, -- hashes of the subtrees of 1024 receipts, in order
  key_id    bigint not null references receipt_key,
  document  text not null,
  signature bytea not null check (octet_length(signature) = 64),
  hash      bytea not null check (octet_length(hash) = 32)
);

-- Up to which transfers there are receipts, and the first day that is not closed.
create table receipt_watermark (
  deals_to   bigint not null default 0,
  charges_to bigint not null default 0,
  charged_at timestamptz not null default now(), -- when charges were last gathered
  last_id    bigint not null default 0,
  open_day   date not null default (now() at time zone 'UTC')::date
);
insert into receipt_watermark default values;

\ir functions/receipts/settled_deals.sql
\ir functions/receipts/gathered_charges.sql
\ir functions/receipts/last_of_next.sql
\ir functions/receipts/jws_of.sql
