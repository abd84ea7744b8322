-- Established buyers of a seller; 0 without a record, null without a seller.
create or replace function established_buyers(p_seller bigint) returns int
language sql stable return
  case when p_seller is not null then coalesce((
    select established from public.agent_record where agent_id = p_seller and role = 'seller'), 0)
  end;
