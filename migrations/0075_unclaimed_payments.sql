-- Payments to the platform that cannot be credited: they are deposits too, and a liability.

insert into ledger.route
  (kind, from_account, to_account, from_id, to_id, allows_credit, allows_cash) values
  ('unclaimed.receipt', 'asset',     'unclaimed', null, null, false, true),
  ('unclaimed.release', 'unclaimed', 'asset',     null, null, false, true);

-- unclaimed: final, and nothing says whose it is. held: its agent is known, and it is too small, or
-- so large that operators decide. returned: it was paid back. suspended is what the account
-- unclaimed was given for it, in micro-dollars; null: nothing was, or its value is not known yet.
-- note is what the payer wrote. bound_by is operator where operators decided whose it is.
alter table deposit
  alter column agent_id drop not null,
  alter column root_id drop not null,
  add column note text,
  add column suspended bigint check (suspended >= 0),
  drop constraint deposit_status_check,
  add constraint deposit_status_check check
    (status in ('detected', 'confirming', 'credited', 'rejected', 'reversed', 'unclaimed', 'held',
                'returned')),
  drop constraint deposit_bound_by_check,
  add constraint deposit_bound_by_check check
    (bound_by in ('reference', 'address', 'wallet', 'operator')),
  drop constraint deposit_evidence,
  add constraint deposit_evidence check
    (num_nonnulls(sender, recipient, position, paid_at) in (0, 4)
     and (bound_by is not null) = (sender is not null and agent_id is not null)),
  drop constraint deposit_waits,
  add constraint deposit_waits check
    ((look_at is not null) = (status in ('detected', 'confirming'))
     and (waits_for is null) = (status in ('credited', 'reversed'))),
  add constraint deposit_attributed check
    ((agent_id is null) = (root_id is null)
     and (agent_id is null) = (status = 'unclaimed' or status = 'returned' and bound_by is null)),
  add constraint deposit_suspended check
    (case when status in ('held', 'returned') then suspended is not null
          when status in ('detected', 'confirming', 'rejected') then suspended is null
          else true end
     and (coalesce(suspended, 0) = 0 or usd is not null));

-- lists, sums and ages
create index deposit_unclaimed on deposit (id) where status in ('unclaimed', 'held', 'returned');
create index deposit_unclaimed_tx on deposit (tx_id)
  where status in ('unclaimed', 'held', 'returned'); -- operators look for one
create index deposit_unclaimed_sender on deposit (sender)
  where status = 'unclaimed'; -- credits of a wallet that is linked later
create index deposit_unvalued on deposit (asset)
  where status = 'unclaimed' and suspended is null; -- value_unclaimed
create index deposit_held on deposit (root_id) where status = 'held'; -- what adds up

-- An agent says that an unclaimed payment is its own, and why; operators decide.
create table deposit_claim (
  id         bigint generated always as identity primary key,
  deposit_id bigint not null references deposit,
  agent_id   bigint not null,
  root_id    bigint not null,
  statement  text not null,
  status     text not null default 'open' check (status in ('open', 'accepted', 'refused')),
  note       text, -- why operators refused it
  created_at timestamptz not null default now(),
  closed_at  timestamptz,
  constraint deposit_claim_closed check ((closed_at is not null) = (status <> 'open')),
  constraint deposit_claim_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
create unique index deposit_claim_once on deposit_claim (deposit_id, root_id)
  where status = 'open'; -- one at a time
create index deposit_claim_root on deposit_claim (root_id, id); -- lists
create index deposit_claim_open on deposit_claim (deposit_id) where status = 'open'; -- operators

-- What operators decide about a payment: proposed by one, done when another says the same. A return
-- is a transaction that paid it back.
create table deposit_decision (
  deposit_id      bigint primary key references deposit,
  decision        text not null check (decision in ('credit', 'return')),
  agent_id        bigint references agent, -- credit: to whom
  network         text,
  return_tx_id    text,
  return_index    int,
  evidence        text not null,
  first_operator  text not null,
  second_operator text,
  proposed_at     timestamptz not null default now(),
  decided_at      timestamptz, -- null: another operator has to say the same
  constraint deposit_decision_of check
    ((decision = 'credit') = (agent_id is not null)
     and num_nonnulls(network, return_tx_id, return_index)
         = case decision when 'return' then 3 else 0 end),
  constraint deposit_decision_two check
    (second_operator <> first_operator and (second_operator is null or decided_at is not null)),
  constraint deposit_decision_once unique (network, return_tx_id, return_index)
);
