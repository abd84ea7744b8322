-- Applies transfers to balances, once a statement however many rows it inserts. Routes are looked
-- up here and not by a foreign key: that would probe and lock the row of the route for each
-- transfer, the same row for all purchases. Rows of ledger.route are never changed or deleted, so a
-- look-up is enough.
create or replace function ledger.apply_transfers() returns trigger
language plpgsql security definer set search_path = ledger, pg_temp as $$
declare
  payers     bigint[];
  payees     bigint[];
  escrows    bigint[];
  treasuries bigint[];
  moved      int;
  unrouted   int;
  settling   int;
  incoming   int;
begin
  -- A transfer names a tree if it moves the tree's treasury or an escrow of it.
  select array_agg(distinct t.from_root) filter (where t.from_root is not null),
         array_agg(distinct t.to_root) filter (where t.to_root is not null),
         array_agg(distinct t.from_id) filter (where t.from_account = 'escrow'),
         count(*) filter (where r.kind is null or t.from_id <> r.from_id or t.to_id <> r.to_id
                             or t.credit > 0 and not r.allows_credit
                             or t.cash > 0 and not r.allows_cash),
         count(*) filter (where r.settles),
         count(*) filter (where t.from_account = 'asset')
    into payers, payees, escrows, unrouted, settling, incoming
    from new_transfer t left join route r using (kind, from_account, to_account);
  if unrouted > 0 then
    raise exception 'its kind does not allow a transfer between these accounts, or of these funds'
      using errcode = '23514', constraint = 'transfer_route';
  end if;

  if payers is not null or payees is not null then
    treasuries := array(select unnest(payers) union select unnest(payees));
    -- One lock order for everybody, or crossing payments deadlock.
    if cardinality(treasuries) > 1 then
      perform from treasury where id = any (treasuries) order by id for no key update;
    end if;
    update treasury t
       set credit = t.credit + d.credit, cash = t.cash + d.cash,
           escrow_credit = t.escrow_credit + d.escrow_credit,
           escrow_cash = t.escrow_cash + d.escrow_cash, owed = t.owed + d.owed
      from (select root,
                   sum(case account when 'treasury' then credit else 0 end)::bigint as credit,
                   sum(case account when 'treasury' then cash else 0 end)::bigint as cash,
                   sum(case account when 'escrow' then credit else 0 end)::bigint as escrow_credit,
                   sum(case account when 'escrow' then cash else 0 end)::bigint as escrow_cash,
                   -sum(case account when 'receivable' then cash else 0 end)::bigint as owed,
                   bool_or(spends) as spends
              from (select from_root as root, from_account as account, -credit as credit,
                           -cash as cash,
                           from_account = 'treasury' and to_account not in ('asset', 'receivable')
                             as spends
                      from new_transfer where from_root is not null
                    union all
                    select to_root, to_account, credit, cash, false
                      from new_transfer where to_root is not null) m
             group by root) d
     -- By the array the plan probes the index; by the join alone it would read all treasuries.
     where t.id = any (treasuries) and t.id = d.root and (t.owed = 0 or not d.spends);
    get diagnostics moved = row_count;
    if moved <> cardinality(treasuries) then
      raise exception 'a transfer names a treasury that does not exist, or spends what is owed'
        using errcode = '23503', constraint = 'transfer_treasury';
    end if;
  end if;

  if settling > 0 then
    update treasury t set inflow = t.inflow + d.cash
      from (select coalesce(n.to_root, n.from_root) as root,
                   sum(case n.to_account when 'asset' then -n.cash else n.cash end)::bigint as cash
              from new_transfer n join route r using (kind, from_account, to_account)
             where r.settles group by 1) d
     where t.id = any (treasuries) and t.id = d.root;
  end if;

  if incoming > 0 and exists (
    select from new_transfer t
     where t.from_account = 'asset' and t.kind <> 'unclaimed.receipt' and not exists (
       select from public.deposit d
        where t.kind = 'deposit' and d.id = t.ref
          and (d.account_id, d.root_id, d.usd) = (t.from_id, t.to_root, t.cash)
       union all
       select from public.deposit_reversal r join public.deposit d on d.id = r.deposit_id
        where t.kind = 'deposit.restoration' and r.id = t.ref
          and (d.account_id, d.root_id, -r.amount) = (t.from_id, t.to_root, t.cash))) then
    raise exception 'money comes in by a deposit that has a row, to its tree'
      using errcode = '23503', constraint = 'transfer_of_its_deposit';
  end if;
  if incoming > 0 and exists (select from new_transfer where kind = 'unclaimed.receipt') then
    -- A statement of its own: it is planned when it is reached, so its column may be younger.
    if exists (
      select from new_transfer t left join public.deposit d
          on (d.id, d.account_id, d.account_id, d.suspended)
           = (t.ref, t.from_id, t.to_id, t.cash)
       where t.kind = 'unclaimed.receipt' and d.id is null) then
      raise exception 'money that nobody has claimed comes in by a deposit that has a row'
        using errcode = '23503', constraint = 'transfer_of_its_deposit';
    end if;
  end if;

  if escrows is not null then
    -- The sums below must see every commit, so an earlier snapshot will not do.
    if current_setting('transaction_isolation') <> 'read committed' then
      raise exception 'an escrow is paid out under read committed only' using errcode = '25001';
    end if;
    -- One pay-out of an escrow at a time.
    perform from transfer where id = any (escrows) order by id for no key update;
    if exists (select from new_transfer t join transfer hold on hold.id = t.from_id
                 join route r on (r.kind, r.from_account, r.to_account)
                              = (t.kind, t.from_account, t.to_account)
                where t.from_account = 'escrow'
                  and (t.from_root <> hold.to_root or t.ref <> hold.ref and not r.in_parts)) then
      raise exception 'an escrow is of the tree and of the object that it was filled for'
        using errcode = '23514', constraint = 'transfer_of_its_escrow';
    end if;
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
