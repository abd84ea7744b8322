-- Deletes rows whose time is over, at most p_rows of each table, and says how many. docs/data.md
-- has the times. It runs with its owner's rights, so that the application needs none to delete
-- these rows, and cannot shorten the times. The oldest rows of a table are those with the lowest
-- ids, so no index on a time is needed.
create or replace function forget_old_rows(p_rows int)
returns table (from_table text, forgotten bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query with gone as (
    delete from event where id in (
      select id from (select id, occurred_at from event order by id limit p_rows) oldest
       where occurred_at < now() - interval '30 days')
    returning 1)
  select 'event', count(*) from gone;

  return query with gone as (
    delete from opening where id in (
      select id from (select id, opened_at from opening order by id limit p_rows) oldest
       where opened_at < now() - interval '400 days')
    returning 1)
  select 'opening', count(*) from gone;

  -- What was reported of a sale goes with it.
  return query with gone as (
    delete from proxy_sale where charge_id in (
      select charge_id
        from (select charge_id, sold_at from proxy_sale order by charge_id limit p_rows) oldest
       where sold_at < now() - interval '7 days')
    returning 1)
  select 'proxy_sale', count(*) from gone;

  return query with gone as (
    delete from api_key where id in (
      select id from api_key where revoked_at < now() - interval '90 days'
       order by revoked_at limit p_rows)
    returning 1)
  select 'api_key', count(*) from gone;

  return query with gone as (
    delete from api_key where id in (
      select id from api_key where expires_at < now() - interval '90 days'
       order by expires_at limit p_rows)
    returning 1)
  select 'api_key', count(*) from gone;
end $$;
