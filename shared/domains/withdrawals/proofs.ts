import { noStrayEscrow, type Proof } from '../ledger/proof.ts';

/** Proofs that the ledger, withdrawals and the chain agree. */
export const withdrawalsProofs: readonly Proof[] = [
  {
    name: 'each open withdrawal is held for in full, in cash, and each closed one not any more',
    sql: `select w.id as withdrawal, w.status, w.amount, e.credit as held_credit, e.cash as held
            from withdrawal w left join ledger.escrow e
              on e.id = w.escrow_id and e.kind = 'withdrawal.hold' and e.ref = w.id
             and e.root = w.root_id
           where e.id is null or e.credit <> 0
              or e.cash <> case when w.closed_at is null then w.amount else 0 end`,
  },
  {
    name: 'each withdrawal that was paid left its chain once, and of no other money left one',
    sql: `select w.id as withdrawal, w.status, w.amount, paid.id as transfer, paid.cash,
                 paid.to_id as account
            from (select * from withdrawal where status = 'paid') w
            full join (select * from ledger.transfer where kind = 'withdrawal.paid') paid
              on paid.ref = w.id
           where w.id is null or paid.id is null or paid.cash <> w.amount`,
  },
  {
    name: 'the money of each withdrawal that failed or was cancelled is back in its wallet',
    sql: `select w.id as withdrawal, w.status, w.amount, back.id as transfer, back.cash
            from (select * from withdrawal where status in ('failed', 'cancelled')) w
            full join (select * from ledger.transfer where kind = 'withdrawal.refund') back
              on back.ref = w.id
           where w.id is null or back.id is null or back.cash <> w.amount
              or back.to_id <> w.root_id`,
  },
  noStrayEscrow('withdrawal', 'a withdrawal', 'withdrawal'),
  {
    name: 'each withdrawal that was paid has one payment on the chain, and each payment one of it',
    sql: `select w.id as withdrawal, w.amount, w.address, p.tx_hash, p.amount as paid,
                 p.address as paid_to, p.payments
            from (select w.* from withdrawal w join hot_wallet h on h.id = w.wallet_id
                   where w.status = 'paid' and w.block_number <= h.compared_to) w
            full join (select wallet_id, tx_hash, sum(amount) as amount, min(address) as address,
                              count(*) as payments
                         from chain_payment group by wallet_id, tx_hash) p
              on (p.wallet_id, p.tx_hash) = (w.wallet_id, w.tx_hash)
           where (w.id is null and not exists (
                    select from payout_transaction t join withdrawal o on o.id = t.withdrawal_id
                     where t.hash = p.tx_hash and o.status = 'processing'))
              or p.tx_hash is null or p.payments > 1
              or p.amount <> w.amount or p.address <> w.address`,
  },
  {
    name: 'each nonce of a wallet was given to one withdrawal',
    sql: `select h.id as wallet, h.first_nonce, h.next_nonce, given.nonces, given.least, given.most
            from hot_wallet h
            left join (
              select wallet_id, count(*) as nonces, min(nonce) as least, max(nonce) as most
                from withdrawal group by 1) given on given.wallet_id = h.id
           where coalesce(given.nonces, 0) <> h.next_nonce - h.first_nonce
              or given.least < h.first_nonce or given.most >= h.next_nonce`,
  },
  {
    name: 'each withdrawal that was paid names a transaction that was signed for it',
    sql: `select w.id as withdrawal, w.tx_hash from withdrawal w
           where w.status = 'paid' and not exists (
             select from payout_transaction t
              where t.withdrawal_id = w.id and t.hash = w.tx_hash)`,
  },
  {
    name: 'each large withdrawal was paid only after an operator had approved it',
    sql: `select w.id as withdrawal, w.status, w.review from withdrawal w
           where w.nonce is not null and w.review is not null and (
             w.review <> 'approved' or not exists (
               select from audit_log l
                where l.object_kind = 'withdrawal' and l.object_id = w.id::text
                  and l.operation = 'review_withdrawal' and l.error is null
                  and l.input->>'decision' = 'approve'))`,
  },
  {
    name: 'each withdrawal that needed two operators was paid after both had approved it',
    sql: `select w.id as withdrawal, w.approved_by from withdrawal w
           where w.approved_by is not null and w.nonce is not null and not exists (
             select from audit_log l
              where l.object_kind = 'withdrawal' and l.object_id = w.id::text
                and l.operation = 'review_withdrawal' and l.error is null
                and l.input->>'decision' = 'approve' and l.operator <> w.approved_by)`,
  },
  {
    name: 'each finished withdraw has its withdrawal, each withdrawal a finished withdraw',
    sql: `select coalesce(j.id, w.call_id) as job, w.id as withdrawal, j.status
            from (select * from job where operation = 'withdraw' and status = 'complete'
                     and answer ->> 'withdrawal_id' is not null) j
            full join withdrawal w on w.call_id = j.id
           where j.id is null and exists (select from job where id = w.call_id) or w.id is null`,
  },
];
