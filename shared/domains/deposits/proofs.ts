import type { Proof } from '../ledger/proof.ts';
import { GAPS_SQL } from './balances/gaps.ts';

/** Proofs that money came in by deposits and went back by reversals, and in no other way. */
export const depositsProofs: readonly Proof[] = [
  {
    name: 'each credited deposit was paid in once, in full, by its rail, and no other was',
    sql: `select d.id as deposit, d.status, d.usd, d.account_id, d.root_id, e.id as transfer,
                 e.cash, e.from_id as paid_by, e.to_id as paid_to
            from (select * from deposit where credited_at is not null) d
            full join (select * from ledger.transfer where kind = 'deposit') e on e.ref = d.id
           where d.id is null or e.id is null
              or (d.account_id, d.root_id, d.usd) <> (e.from_id, e.to_id, e.cash)`,
  },
  {
    name: 'each reversal of a deposit took from its tree, or left it owing, what it says',
    sql: `select r.id as reversal, r.deposit_id, r.kind, r.cash, e.id as transfer, e.cash as moved,
                 e.from_id as paid_by, e.to_id as paid_to
            from (select p.id, r.deposit_id, p.kind, p.cash, p.from_id, p.to_id
                    from (select reversal.*, account_id, root_id from deposit_reversal reversal
                            join deposit d on d.id = deposit_id) r
                   cross join lateral (values
                     (r.id, 'deposit.reversal', r.taken, r.root_id, r.account_id),
                     (r.id, 'deposit.owed', r.owed, r.root_id, r.account_id),
                     (r.id, 'deposit.restoration', -r.amount, r.account_id, r.root_id)
                   ) as p(id, kind, cash, from_id, to_id)
                   where p.cash > 0) r
            full join (select * from ledger.transfer
                        where kind in
                          ('deposit.reversal', 'deposit.owed', 'deposit.restoration')) e
              on e.ref = r.id and e.kind::text = r.kind
           where r.id is null or e.id is null
              or (r.cash, r.from_id, r.to_id) <> (e.cash, e.from_id, e.to_id)`,
  },
  {
    name: 'cash that is kept back, as paid by card to another tree, is a transfer to its tree',
    sql: `select c.transfer_id, c.root_id, c.payer_root, c.cash, t.to_root, t.from_root,
                 t.cash as moved
            from card_proceeds c left join ledger.transfer t on t.id = c.transfer_id
           where t.id is null
              or (t.to_root, t.from_root, t.cash)
                 is distinct from (c.root_id, c.payer_root, c.cash)`,
  },
  {
    name: 'each deposit by card is a payment that Stripe was asked for, and no other',
    sql: `select p.id as card_payment, p.root_id, p.amount, d.id as deposit, d.usd, d.tx_id
            from (select * from card_payment where deposit_id is not null) p
            full join (select * from deposit
                        where network in ('stripe', 'stripe_test', 'sandbox')
                          and rail = 'card') d on d.id = p.deposit_id
           where p.id is null or d.id is null or d.usd > p.amount
              or (d.tx_id, d.root_id) is distinct from (p.payment_id, p.root_id)`,
  },
  {
    name: 'each recharge that was paid was credited, and no other',
    sql: `select r.id as recharge, r.status, p.deposit_id
            from recharge r join card_payment p using (id)
           where (r.status = 'paid') <> (p.deposit_id is not null)`,
  },
  {
    name: 'each deposit says what of it was reversed',
    sql: `select d.id as deposit, d.reversed, back.amount
            from deposit d
            left join (select deposit_id, sum(amount) as amount from deposit_reversal
                        group by 1) back on back.deposit_id = d.id
           where d.reversed <> coalesce(back.amount, 0)`,
  },
  {
    name: 'each payment of what a tree owed was taken from it once',
    sql: `select p.id as payment, p.root_id, p.amount, e.id as transfer, e.cash, e.from_id
            from owed_payment p
            full join (select * from ledger.transfer where kind = 'owed.payment') e on e.ref = p.id
           where p.id is null or e.id is null or (p.root_id, p.root_id, p.amount)
                                             <> (e.from_id, e.to_id, e.cash)`,
  },
  {
    name: 'each deposit by chain says who paid whom, when, and by what it is whose',
    sql: `select id as deposit, rail, sender, recipient, position, paid_at, bound_by from deposit
           where rail not in ('card', 'x402')
             and (num_nonnulls(sender, recipient, position, paid_at) < 4
                  or agent_id is not null and bound_by is null)`,
  },
  {
    name: 'each deposit by chain that no reference binds is of whom its sender or recipient is',
    sql: `select d.id as deposit, d.bound_by, d.sender, d.recipient, d.agent_id
            from (select *, case when rail in ('base', 'arbitrum', 'ethereum', 'x402') then 'evm'
                                 else rail end as family
                    from deposit where bound_by in ('wallet', 'address')) d
            left join deposit_address a
              on (a.family, a.address, a.agent_id) = (d.family, d.recipient, d.agent_id)
           where d.bound_by = 'address' and a.agent_id is null
              or d.bound_by = 'wallet' and not exists (
                   select from linked_wallet w
                    where (w.family, w.address, w.agent_id) = (d.family, d.sender, d.agent_id)
                      and w.network in ('all', d.network)
                      and (w.unlinked_at is null
                           or w.unlinked_at > least(d.paid_at, d.created_at)))`,
  },
  {
    // Operators may know better.
    name: 'no deposit by chain is older than its agent',
    sql: `select d.id as deposit, d.paid_at, agent.created_at
            from deposit d join agent on agent.id = d.agent_id
           where d.paid_at < agent.created_at - interval '1 minute' and d.bound_by <> 'operator'`,
  },
  {
    name: 'each payment of nobody was booked as a liability once, at its value',
    sql: `select d.id as deposit, d.status, d.suspended, e.id as transfer, e.cash
            from (select * from deposit where suspended > 0) d
            full join (select * from ledger.transfer
                        where kind = 'unclaimed.receipt') e on e.ref = d.id
           where d.id is null or e.id is null
              or (d.account_id, d.account_id, d.suspended) <> (e.from_id, e.to_id, e.cash)`,
  },
  {
    name: 'each payment of nobody left the liabilities when it was credited or paid back',
    sql: `select d.id as deposit, d.status, d.suspended, e.id as transfer, e.cash
            from (select * from deposit
                   where suspended > 0 and status in ('credited', 'reversed', 'returned')) d
            full join (select * from ledger.transfer
                        where kind = 'unclaimed.release') e on e.ref = d.id
           where d.id is null or e.id is null
              or (d.account_id, d.account_id, d.suspended) <> (e.from_id, e.to_id, e.cash)`,
  },
  {
    name: 'each payment that operators decided is as they decided, and no other is',
    sql: `select d.id as deposit, d.status, d.agent_id, v.decision, v.agent_id as decided_agent
            from (select * from deposit where bound_by = 'operator' or status = 'returned') d
            full join (select * from deposit_decision where decided_at is not null) v
              on v.deposit_id = d.id
           where d.id is null or v.deposit_id is null
              or case v.decision
                   when 'return' then d.status <> 'returned'
                   else d.status not in ('credited', 'reversed') or d.agent_id <> v.agent_id end`,
  },
  {
    name: 'no claim is open on a payment that was credited or paid back',
    sql: `select c.id as claim, d.id as deposit, d.status
            from deposit_claim c join deposit d on d.id = c.deposit_id
           where c.status = 'open' and d.status not in ('unclaimed', 'held')`,
  },
  {
    name: 'each claim on a payment that was accepted is of the tree it was credited to',
    sql: `select c.id as claim, c.root_id, d.id as deposit, d.root_id as credited
            from deposit_claim c join deposit d on d.id = c.deposit_id
           where c.status = 'accepted'
             and (d.root_id is distinct from c.root_id
                  or d.status not in ('credited', 'reversed'))`,
  },
  {
    name: 'each of our addresses holds by its chain what the books say came to it and left it',
    sql: GAPS_SQL,
  },
];
