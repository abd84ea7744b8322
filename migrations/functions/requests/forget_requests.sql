-- Empties the partitions of `request` in which no row is younger than p_days. Returns how many. One
-- that is being read stays until the next time: it is not waited for longer than a moment.
create or replace function forget_requests(p_days int) returns int
language plpgsql set lock_timeout = '200ms' as $$
declare
  v_period constant int := 2 * 86400; -- seconds; 6 periods, as in request_log.ts
  v_last   bigint := floor(extract(epoch from now()) / v_period);
  v_first  bigint := floor((extract(epoch from now()) - p_days * 86400.0) / v_period);
  v_slot   int;
  v_some   boolean;
  v_count  int := 0;
begin
  for v_slot in 0 .. 5 loop
    continue when exists (select from generate_series(v_first, v_last) n where n % 6 = v_slot);
    execute format('select exists (select from request_%s)', v_slot) into v_some;
    continue when not v_some;
    begin
      execute format('truncate request_%s', v_slot);
      v_count := v_count + 1;
    exception when lock_not_available then null;
    end;
  end loop;
  return v_count;
end $$;
