-- Where money of a kind may come from and go to. In PL/pgSQL, which is compiled once a session. As
-- SQL it was inlined into the check, so that each statement that added a transfer parsed and
-- planned it again.
create or replace function ledger.route_allowed(
  kind ledger.kind, from_account ledger.account, to_account ledger.account, credit bigint,
  cash bigint
) returns boolean language plpgsql immutable as $$
begin
  return case kind
    when 'welcome'       then from_account = 'expense'  and to_account = 'treasury' and cash = 0
    when 'deposit'       then from_account = 'asset'    and to_account = 'treasury' and credit = 0
    when 'order.hold'    then from_account = 'treasury' and to_account = 'escrow'
    when 'order.release' then from_account = 'escrow'   and to_account = 'treasury'
    when 'order.fee'     then from_account = 'escrow'   and to_account = 'revenue'
    when 'order.refund'  then from_account = 'escrow'   and to_account = 'treasury'
    when 'proxy.charge'  then from_account = 'treasury' and to_account = 'revenue'
    when 'proxy.refund'  then from_account = 'revenue'  and to_account = 'treasury'
    when 'email.charge'  then from_account = 'treasury' and to_account = 'revenue'
    else false end;
end $$;
