-- Moves the watermark up to which no event is missing: readers stop there. Ids are not drawn in the
-- order of commits, so a reader that went up to the newest visible event would skip the events of a
-- transaction that commits later. `drawn` is the highest id by now, `settled` the watermark.
create or replace function move_event_watermark(out settled bigint, out drawn bigint)
language plpgsql as $$
declare
  v_tx xid8;
begin
  if pg_current_xact_id_if_assigned() is not null then
    raise exception 'move_event_watermark needs a transaction that has written nothing before';
  end if;
  select case when is_called then last_value else 0 end into drawn from event_id;
  select id into settled from event_watermark;
  if settled >= drawn then return; end if; -- Nothing new, so nothing is written.
  perform from event_watermark for update skip locked;
  if not found then return; end if; -- Another session moves it.
  -- Every transaction that has drawn an id up to `drawn` had its number before, so a lower one.
  v_tx := pg_current_xact_id();
  update event_watermark w set
    id = greatest(w.id, case when oldest >= v_tx then drawn when oldest >= next_tx then next_id
                             else 0 end),
    next_id = case when oldest >= next_tx then drawn else next_id end,
    next_tx = case when oldest >= next_tx then v_tx else next_tx end
    from pg_snapshot_xmin(pg_current_snapshot()) as oldest -- all transactions below it have ended
  returning w.id into settled;
  -- A move that is lost in a crash is repeated: nobody need wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
end $$;
