-- The last of the next p_most transfers after an id, up to another: that one if there are fewer.
-- Ids may have gaps of any size.
create or replace function last_of_next(p_after bigint, p_to bigint, p_most int) returns bigint
language sql stable as $$
  select coalesce((select id from ledger.transfer where id > p_after and id <= p_to
                    order by id offset p_most - 1 limit 1), p_to)
$$;
