-- What the ledger checks at each entry, cheaper for an entry that travels alone.

-- As SQL it was inlined into the check, which means parsed and planned again by every statement
-- that adds an entry; as PL/pgSQL it is compiled once a session.
create or replace function ledger.route_allowed(
  kind ledger.kind, from_place ledger.place, to_place ledger.place, credit bigint, cash bigint
) returns boolean language plpgsql immutable as $$
begin
  return case kind
    when 'welcome'       then from_place = 'expense'  and to_place = 'treasury' and cash = 0
    when 'deposit'       then from_place = 'asset'    and to_place = 'treasury' and credit = 0
    when 'order.hold'    then from_place = 'treasury' and to_place = 'escrow'
    when 'order.release' then from_place = 'escrow'   and to_place = 'treasury'
    when 'order.fee'     then from_place = 'escrow'   and to_place = 'revenue'
    when 'order.refund'  then from_place = 'escrow'   and to_place = 'treasury'
    when 'proxy.charge'  then from_place = 'treasury' and to_place = 'revenue'
    when 'proxy.refund'  then from_place = 'revenue'  and to_place = 'treasury'
    when 'email.charge'  then from_place = 'treasury' and to_place = 'revenue'
    else false end;
end $$;
