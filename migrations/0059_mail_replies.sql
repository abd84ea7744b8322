-- Replies of mail servers about mailboxes, and when they are not believed.

insert into ledger.route
  (kind, from_account, to_account, from_id, to_id, allows_credit, allows_cash) values
  ('email.refund', 'revenue', 'treasury', 3, null, true, true);

-- A mail host whose refusals are not believed: for one tree, or for everybody (root_id is null).
-- It reaches replies from since on, until ends_at.
create table mail_doubt (
  id        bigint generated always as identity primary key,
  machine   text collate "C" not null,
  provider  text,
  root_id   bigint references agent,
  mailboxes int not null check (mailboxes > 0), -- refused in a row, distinct
  since     timestamptz not null, -- the first refusal of the row
  began_at  timestamptz not null default now(),
  ends_at   timestamptz not null,
  constraint mail_doubt_time check (since <= ends_at and began_at <= ends_at)
);
-- whether a reply is in doubt
create index mail_doubt_machine on mail_doubt (machine, ends_at);

-- A reply about a mailbox (its address, hashed), asked for by a tree. refused: the host says that
-- it does not have it; else it told mailboxes apart or accepted one.
create table mail_reply (
  id         bigint generated always as identity primary key,
  machine    text collate "C" not null,
  provider   text,
  root_id    bigint not null references agent,
  mailbox    bytea not null check (length(mailbox) = 32),
  refused    boolean not null,
  postmaster boolean, -- whether it accepted postmaster in the same session; null: not asked
  asked_at   timestamptz not null,
  charge_id  bigint references charge, -- null: nothing was charged for it
  refunded   boolean not null default false, -- this answer was given back
  constraint mail_reply_refunded check (not refunded or (refused and charge_id is not null))
);
-- refusals in a row, and the replies that a doubt reaches
create index mail_reply_machine on mail_reply (machine, asked_at);
-- the refund of a charge
create index mail_reply_charge on mail_reply (charge_id) where charge_id is not null;
