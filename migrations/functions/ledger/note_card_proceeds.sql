-- Notes cash that leaves an escrow for another tree while a bank may still take back money of the
-- payer: up to 180 days, the longest time of a dispute. Purchases fill escrows, and cost one look
-- at their own rows here. As the owner, because nobody else may write what is kept back.
create or replace function ledger.note_card_proceeds() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.card_proceeds (transfer_id, root_id, payer_root, cash, paid_at)
  select t.id, t.to_root, t.from_root, t.cash, source.paid_at
    from new_transfer t
    cross join lateral (
      select greatest(
               (select max(d.credited_at) from public.deposit d
                 where d.root_id = t.from_root and d.rail = 'card'),
               (select max(c.paid_at) from public.card_proceeds c
                 where c.root_id = t.from_root)) as paid_at) source
   where t.from_account = 'escrow' and t.to_account = 'treasury' and t.to_root <> t.from_root
     and t.cash > 0 and source.paid_at > now() - interval '180 days';
  return null;
end $$;
