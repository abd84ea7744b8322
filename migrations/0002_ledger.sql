-- The ledger. One row = one movement of money from one place to another, in two funds.
--
-- Nothing here can be unbalanced: a row has no legs that could disagree, only a source, a
-- destination and what moved. PostgreSQL refuses by itself, for the application as for the owner:
--   an empty, negative or circular movement    check
--   a movement that its kind does not allow    check transfer_route
--   the same movement twice                    unique (ref, kind)
--   an edit, a deletion, a late addition       privileges and append_only; an entry is one row
--   a treasury or an escrow below zero         check on treasury; apply_transfers on escrow
--   a balance that does not follow its entries only apply_transfers may write treasury

create schema ledger;

create type ledger.account as enum
  ('treasury', 'escrow', 'unclaimed', 'receivable', 'asset', 'revenue', 'expense', 'equity');

create type ledger.kind as enum
  ('welcome', 'deposit', 'order.hold', 'order.release', 'order.fee');

-- The money of one owner tree; id is the root agent. The only stored balances of the platform.
-- fillfactor leaves room for HOT updates; no index may ever cover credit or cash.
create table ledger.treasury (
  id     bigint primary key,
  credit bigint not null default 0,
  cash   bigint not null default 0,
  constraint treasury_not_negative check (credit >= 0 and cash >= 0)
) with (fillfactor = 50);

-- Not cached: within one tree the order of ids is the order of events, which statements rely on.
create sequence ledger.transfer_id;

-- Where money of this kind may come from and go to. Inlined into the check below; a later migration
-- that adds a kind replaces the function.
create function ledger.route_allowed(
  kind ledger.kind, from_account ledger.account, to_account ledger.account, credit bigint, cash bigint
) returns boolean language sql immutable as $$
  select case kind
    when 'welcome'       then from_account = 'expense'  and to_account = 'treasury' and cash = 0
    when 'deposit'       then from_account = 'asset'    and to_account = 'treasury' and credit = 0
    when 'order.hold'    then from_account = 'treasury' and to_account = 'escrow'
    when 'order.release' then from_account = 'escrow'   and to_account = 'treasury'
    when 'order.fee'     then from_account = 'escrow'   and to_account = 'revenue'
    else false end
$$;

-- ref names the object that the kind speaks of (the order, the agent, the deposit): (ref, kind)
-- happens once. An escrow is known by the entry that filled it; its balance is that entry minus
-- what left it, so it needs no row of its own.
create table ledger.transfer (
  id         bigint primary key default nextval('ledger.transfer_id'),
  ref        bigint not null,
  from_id    bigint not null,
  to_id      bigint not null,
  credit     bigint not null,
  cash       bigint not null,
  created_at timestamptz not null default now(),
  -- readers of a sequence stop below the oldest running one
  tx         xid8 not null default pg_current_xact_id(),
  kind       ledger.kind not null,
  from_account ledger.account not null,
  to_account   ledger.account not null,
  constraint transfer_once unique (ref, kind),
  constraint transfer_moves check (credit >= 0 and cash >= 0 and credit + cash > 0),
  constraint transfer_two_accounts check (from_account <> to_account or from_id <> to_id),
  constraint transfer_opens_escrow check (to_account <> 'escrow' or to_id = id),
  constraint transfer_credit_stays
    check (credit = 0 or (from_account <> 'asset' and to_account <> 'asset')),
  constraint transfer_route check (ledger.route_allowed(kind, from_account, to_account, credit, cash))
);
create index transfer_out on ledger.transfer (from_id, id) where from_account = 'treasury'; -- statements
create index transfer_in on ledger.transfer (to_id, id) where to_account = 'treasury'; -- statements
-- what left an escrow
create index transfer_spent on ledger.transfer (from_id) where from_account = 'escrow';

-- Balances follow entries, once a statement however many rows it inserts.
create function ledger.apply_transfers() returns trigger
language plpgsql security definer set search_path = ledger, pg_temp as $$
declare
  treasuries bigint[] := array(select from_id from new_transfer where from_account = 'treasury'
                               union select to_id from new_transfer where to_account = 'treasury');
  escrows    bigint[] := array(select distinct from_id from new_transfer where from_account = 'escrow');
  moved      int;
begin
  if cardinality(treasuries) > 0 then
    -- One lock order for everybody, or crossing payments deadlock.
    perform from treasury where id = any (treasuries) order by id for no key update;
    update treasury t set credit = t.credit + d.credit, cash = t.cash + d.cash
      from (select id, sum(credit)::bigint as credit, sum(cash)::bigint as cash
              from (select from_id as id, -credit as credit, -cash as cash
                      from new_transfer where from_account = 'treasury'
                    union all
                    select to_id, credit, cash from new_transfer where to_account = 'treasury') m
             group by id) d
     where t.id = d.id;
    get diagnostics moved = row_count;
    if moved <> cardinality(treasuries) then
      raise exception 'an entry names a treasury that does not exist'
        using errcode = '23503', constraint = 'transfer_treasury';
    end if;
  end if;

  if cardinality(escrows) > 0 then
    -- The sums below must see every commit, so a snapshot taken earlier will not do.
    if current_setting('transaction_isolation') <> 'read committed' then
      raise exception 'an escrow is paid out under read committed only' using errcode = '25001';
    end if;
    -- One pay-out of an escrow at a time.
    perform from transfer where id = any (escrows) order by id for no key update;
    if exists (select from unnest(escrows) as e(id)
                 left join transfer hold on hold.id = e.id and hold.to_account = 'escrow'
                cross join lateral (select sum(credit) as credit, sum(cash) as cash from transfer
                                     where from_account = 'escrow' and from_id = e.id) spent
                where hold.id is null or spent.credit > hold.credit or spent.cash > hold.cash) then
      raise exception 'an escrow cannot pay out more than it holds'
        using errcode = '23514', constraint = 'escrow_not_negative';
    end if;
  end if;
  return null;
end $$;

create function ledger.append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger.% is append-only', tg_table_name using errcode = '42501';
end $$;

-- Depth 1 is a statement of a client; apply_transfers writes at depth 2.
create function ledger.only_by_transfers() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'balances move by entries only' using errcode = '42501';
  end if;
  return null;
end $$;

create function ledger.opens_empty() returns trigger language plpgsql as $$
begin
  if exists (select from opened where credit <> 0 or cash <> 0) then
    raise exception 'a treasury opens empty' using errcode = '42501';
  end if;
  return null;
end $$;

create trigger apply_transfers after insert on ledger.transfer referencing new table as new_transfer
  for each statement execute function ledger.apply_transfers();
create trigger append_only before update or delete or truncate on ledger.transfer
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
alter table ledger.treasury
  enable always trigger only_by_transfers, enable always trigger append_only,
  enable always trigger opens_empty;

-- Locks trees in the one order and hands back what they hold. A transaction that will touch several
-- treasuries calls it once, first.
create function ledger.lock_treasuries(ids bigint[]) returns setof ledger.treasury
language sql security definer set search_path = ledger, pg_temp as $$
  select * from treasury where id = any (ids) order by id for no key update
$$;
revoke all on all functions in schema ledger from public;

-- The classical view: signed postings, two to four an entry.
create view ledger.balance_change as
  select e.id as entry_id, e.kind, e.ref, e.created_at, p.place, p.account_id, p.funds, p.amount
    from ledger.transfer e cross join lateral (values
      (e.from_account, e.from_id, 'credit', -e.credit), (e.from_account, e.from_id, 'cash', -e.cash),
      (e.to_account, e.to_id, 'credit', e.credit), (e.to_account, e.to_id, 'cash', e.cash)
    ) as p(place, account_id, funds, amount)
   where p.amount <> 0;

create view ledger.escrow as
  select h.id, h.kind, h.ref,
         h.credit - coalesce(sum(s.credit), 0) as credit, h.cash - coalesce(sum(s.cash), 0) as cash
    from ledger.transfer h left join ledger.transfer s on s.from_account = 'escrow' and s.from_id = h.id
   where h.to_account = 'escrow' group by h.id;
