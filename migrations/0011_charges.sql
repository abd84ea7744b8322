-- Metered calls: paid from the treasury to the platform at once, without an escrow.

-- In PL/pgSQL, which is compiled once a session. As SQL it was inlined into the check, so that each
-- statement that added an entry parsed and planned it again.
create or replace function ledger.route_allowed(
  kind ledger.kind, from_account ledger.account, to_account ledger.account, credit bigint, cash bigint
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

-- Revenue by what it was earned with: 1 purchase fees, 2 proxies, 3 email validations.
-- Not valid: what is there already is not read again.
alter table ledger.transfer add constraint transfer_revenue check (case kind
  when 'order.fee'    then to_id = 1
  when 'proxy.charge' then to_id = 2
  when 'proxy.refund' then from_id = 2
  when 'email.charge' then to_id = 3
  else true end) not valid;

-- One paid call of a metered service. Its id is the ref of its ledger entry.
create table charge (
  id              bigint generated always as identity primary key,
  call_id         uuid not null unique, -- one call is charged once
  agent_id        int not null references agent,
  service         text not null check (service in ('proxy', 'email')),
  units           int not null check (units between 1 and 2000),
  unit_price      bigint not null check (unit_price > 0),
  credit          bigint not null,
  cash            bigint not null,
  refunded_credit bigint not null default 0,
  refunded_cash   bigint not null default 0,
  created_at      timestamptz not null default now(),
  constraint charge_sum check (credit >= 0 and cash >= 0 and credit + cash = unit_price * units),
  constraint charge_refunded check
    (refunded_credit between 0 and credit and refunded_cash between 0 and cash)
);
create index charge_agent on charge (agent_id, created_at); -- what an agent used today

-- What went back of a charge, and what for (e.g. proxy:17): for one cause once.
create table charge_refund (
  id         bigint generated always as identity primary key,
  charge_id  bigint not null references charge,
  cause      text not null,
  credit     bigint not null,
  cash       bigint not null,
  created_at timestamptz not null default now(),
  constraint charge_refund_once unique (charge_id, cause),
  constraint charge_refund_moves check (credit >= 0 and cash >= 0 and credit + cash > 0)
);
