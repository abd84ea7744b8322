-- The ledger. One row = one transfer of money from one account to another, in two funds.
--
-- Nothing here can be unbalanced: a row has no legs that could disagree, only a source, a
-- destination and what moved. PostgreSQL refuses by itself, for the application as for the owner:
--   an empty, negative or circular transfer      check
--   a transfer that its kind does not allow      ledger.route; apply_transfers looks it up
--   the same transfer twice                      unique (ref, kind)
--   an edit, a deletion, a late addition         privileges and append_only; a transfer is one row
--   a treasury or an escrow below zero           check on treasury; apply_transfers on escrow
--   a balance that does not follow its transfers only apply_transfers may write treasury
--   money from outside without a deposit         apply_transfers looks for the row
--   a spend of a tree that owes                  apply_transfers

create schema ledger;

create type ledger.account as enum
  ('treasury', 'escrow', 'unclaimed', 'receivable', 'asset', 'revenue', 'expense', 'equity');

-- Where money of a kind may come from and go to: a new kind is an insert. from_id and to_id, where
-- they are given, are the only account of that type which the kind may name. Revenue is kept by
-- what it was earned with: 1 purchase fees, 2 proxies, 3 email validations, 4 tokens.
create table ledger.route (
  kind          text collate "C" not null check (length(kind) between 1 and 40),
  from_account  ledger.account not null,
  to_account    ledger.account not null,
  from_id       bigint,
  to_id         bigint,
  allows_credit boolean not null default true,
  allows_cash   boolean not null default true,
  -- its cash has come into a tree to stay; to an asset: it did not stay
  settles       boolean not null default false,
  in_parts      boolean not null default false, -- its ref is a part of what the escrow is for
  primary key (kind, from_account, to_account),
  constraint route_allows_funds check (allows_credit or allows_cash),
  constraint route_credit_stays
    check (not allows_credit or (from_account <> 'asset' and to_account <> 'asset'))
);
insert into ledger.route
  (kind, from_account, to_account, from_id, to_id, allows_credit, allows_cash, settles)
values
  ('welcome',       'expense',  'treasury', null, null, true,  false, false),
  ('deposit',       'asset',    'treasury', null, null, false, true,  true),
  ('order.hold',    'treasury', 'escrow',   null, null, true,  true,  false),
  ('order.release', 'escrow',   'treasury', null, null, true,  true,  true),
  ('order.fee',     'escrow',   'revenue',  null, 1,    true,  true,  false),
  ('order.refund',  'escrow',   'treasury', null, null, true,  true,  false),
  ('proxy.charge',  'treasury', 'revenue',  null, 2,    true,  true,  false),
  ('proxy.refund',  'revenue',  'treasury', 2,    null, true,  true,  false),
  ('email.charge',  'treasury', 'revenue',  null, 3,    true,  true,  false);

-- The money of one owner tree; id is the root agent. credit and cash can be spent; escrow_credit
-- and escrow_cash are what the escrows hold that this tree filled. The only stored balances of the
-- platform. inflow is the cash that has ever come in to stay, which decides the tree's tier. owed
-- is what was spent of deposits that were reversed: what the account receivable of the tree lacks.
-- Until it is paid, the tree cannot spend.
-- fillfactor leaves room for HOT updates; no index may ever cover a balance.
create table ledger.treasury (
  id            bigint primary key,
  credit        bigint not null default 0,
  cash          bigint not null default 0,
  escrow_credit bigint not null default 0,
  escrow_cash   bigint not null default 0,
  inflow        bigint not null default 0,
  owed          bigint not null default 0,
  constraint treasury_not_negative
    check (credit >= 0 and cash >= 0 and escrow_credit >= 0 and escrow_cash >= 0 and owed >= 0)
) with (fillfactor = 50);

-- Not cached: within one tree the order of ids is the order of events, which statements rely on.
create sequence ledger.transfer_id;

-- ref names the object that the kind speaks of (the order, the agent, the deposit): (ref, kind)
-- happens once. An escrow is known by the transfer that filled it; its balance is that transfer
-- minus what left it, so it needs no row of its own. from_root and to_root are the owner trees
-- whose money it was and is, null where it is the platform's: an escrow is of the tree that filled
-- it.
create table ledger.transfer (
  id           bigint primary key default nextval('ledger.transfer_id'),
  ref          bigint not null,
  from_id      bigint not null,
  to_id        bigint not null,
  credit       bigint not null,
  cash         bigint not null,
  from_root    bigint,
  to_root      bigint,
  created_at   timestamptz not null default now(),
  -- readers of a sequence stop below the oldest running one
  tx           xid8 not null default pg_current_xact_id(),
  from_account ledger.account not null,
  to_account   ledger.account not null,
  kind         text collate "C" not null,
  constraint transfer_once unique (ref, kind),
  constraint transfer_moves check (credit >= 0 and cash >= 0 and credit + cash > 0),
  constraint transfer_two_accounts check (from_account <> to_account or from_id <> to_id),
  constraint transfer_opens_escrow check (to_account <> 'escrow' or to_id = id),
  constraint transfer_credit_stays
    check (credit = 0 or (from_account <> 'asset' and to_account <> 'asset')),
  -- of which tree the escrow is that a transfer leaves, apply_transfers compares
  constraint transfer_from_root check (case from_account
    when 'treasury' then from_root is not null and from_root = from_id
    when 'receivable' then from_root is not null and from_root = from_id
    when 'escrow' then from_root is not null
    else from_root is null end),
  constraint transfer_to_root check (case to_account
    when 'treasury' then to_root is not null and to_root = to_id
    when 'receivable' then to_root is not null and to_root = to_id
    when 'escrow' then from_root is not null and to_root is not null and to_root = from_root
    else to_root is null end)
);
-- statements
create index transfer_out on ledger.transfer (from_id, id) where from_account = 'treasury';
-- statements
create index transfer_in on ledger.transfer (to_id, id) where to_account = 'treasury';
-- what left an escrow
create index transfer_spent on ledger.transfer (from_id) where from_account = 'escrow';

\ir functions/ledger/apply_transfers.sql
\ir functions/ledger/append_only.sql
\ir functions/ledger/only_by_transfers.sql
\ir functions/ledger/opens_empty.sql

create trigger apply_transfers after insert on ledger.transfer referencing new table as new_transfer
  for each statement execute function ledger.apply_transfers();
create trigger append_only before update or delete or truncate on ledger.transfer
  for each statement execute function ledger.append_only();
create trigger append_only before update or delete or truncate on ledger.route
  for each statement execute function ledger.append_only();
create trigger only_by_transfers before update on ledger.treasury
  for each statement execute function ledger.only_by_transfers();
create trigger append_only before delete or truncate on ledger.treasury
  for each statement execute function ledger.append_only();
create trigger opens_empty after insert on ledger.treasury referencing new table as opened
  for each statement execute function ledger.opens_empty();

-- Always: also under session_replication_role = replica.
alter table ledger.transfer
  enable always trigger apply_transfers, enable always trigger append_only;
alter table ledger.route enable always trigger append_only;
alter table ledger.treasury
  enable always trigger only_by_transfers, enable always trigger append_only,
  enable always trigger opens_empty;

-- The classical view: signed changes of balances, two to four a transfer.
create view ledger.balance_change as
  select t.id as transfer_id, t.kind, t.ref, t.created_at, c.account, c.account_id, c.funds,
         c.amount
    from ledger.transfer t cross join lateral (values
      (t.from_account, t.from_id, 'credit', -t.credit),
      (t.from_account, t.from_id, 'cash', -t.cash),
      (t.to_account, t.to_id, 'credit', t.credit),
      (t.to_account, t.to_id, 'cash', t.cash)
    ) as c(account, account_id, funds, amount)
   where c.amount <> 0;

create view ledger.escrow as
  select h.id, h.kind, h.ref, h.to_root as root,
         h.credit - coalesce(sum(s.credit), 0) as credit, h.cash - coalesce(sum(s.cash), 0) as cash
    from ledger.transfer h
    left join ledger.transfer s on s.from_account = 'escrow' and s.from_id = h.id
   where h.to_account = 'escrow' group by h.id;
