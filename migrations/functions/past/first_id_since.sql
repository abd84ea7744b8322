-- The lowest id of a row that was made at p_since or later, or a lower one: found by bisection, in
-- a table whose ids rise with time, without an index on the time. Transactions draw ids and commit
-- in no exact order, so it looks for a minute earlier; the caller compares the times too. Null:
-- there is no such row.
create or replace function first_id_since(p_table regclass, p_time name, p_since timestamptz)
returns bigint language plpgsql stable as $$
declare
  v_since  timestamptz := p_since - interval '1 minute';
  v_low    bigint;
  v_high   bigint;
  v_middle bigint;
  v_is_old boolean;
  v_next   bigint;
begin
  execute format('select id, %I < $1 from %s order by id desc limit 1', p_time, p_table)
    into v_high, v_is_old using v_since;
  if v_high is null or v_is_old then return null; end if;
  execute format('select min(id) from %s', p_table) into v_low;
  -- All rows below v_low are older; the row of v_high is not.
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2;
    execute format('select id, %I < $1 from %s where id >= $2 order by id limit 1', p_time, p_table)
      into v_next, v_is_old using v_since, v_middle;
    if v_is_old then v_low := v_next + 1; else v_high := v_middle; end if;
  end loop;
  return v_low;
end $$;
