import type { Proof } from '../ledger/proof.ts';

/** That payments by x402 are on the chain, and credited once to those whose calls they paid. */
export const x402Proofs: readonly Proof[] = [
  {
    name: 'each settled payment by x402 is one deposit, in full, of its caller or else its payer',
    sql: `select p.id as payment, p.tx_id, p.amount, p.whose, d.id as deposit, d.tx_id as paid_by,
                 d.usd, d.root_id
            from (select p.*, coalesce(p.root_id, a.agent_id) as whose
                    from x402_payment p left join x402_account a on a.address = p.payer
                   where p.status = 'settled') p
            full join (select * from deposit where rail = 'x402' and credited_at is not null
                          and sender is null) d on d.id = p.deposit_id
           where p.id is null or d.id is null
              or (p.tx_id, p.amount, p.whose) is distinct from (d.tx_id, d.usd, d.root_id)`,
  },
  {
    name: 'each root agent without a password is the account of an address that has paid',
    sql: `select a.id as agent, x.address
            from (select id from agent where owner_id is null and password_hash is null) a
            full join x402_account x on x.agent_id = a.id
           where a.id is null or not exists (
             select from x402_payment p where p.payer = x.address and p.status = 'settled'
                and p.agent_id is null)`,
  },
  {
    name: 'each settled payment by x402 is on the chain, in full, from its payer to our address',
    // In a block that was compared. Its authorization says which transfer it is.
    sql: `select p.id as payment, p.tx_id, p.payer, p.amount, p.block_number,
                 t.tx_hash, t.amount as moved, t.pay_to as paid_to
            from x402_payment p
            join x402_cursor c
              on (c.network, c.asset, c.pay_to) = (p.network, p.asset, lower(p.pay_to))
            left join x402_transfer t
              on (t.network, t.asset, t.sender, t.nonce) = (p.network, p.asset, p.payer, p.nonce)
           where p.status = 'settled'
             and p.block_number > c.began_after and p.block_number <= c.compared_to
             and (t.amount, t.pay_to) is distinct from (p.amount, c.pay_to)`,
  },
  {
    name: 'each transfer to the address that is paid by x402 is a payment, a deposit or our own',
    // Deposits of before have other indexes, so those that are alike are counted.
    sql: `select alike.*, known.deposits
            from (select t.tx_hash, t.pay_to, t.amount, count(*) as transfers
                    from x402_transfer t
                    join x402_cursor c using (network, asset, pay_to)
                    left join x402_payment p
                      on (p.network, p.asset, p.payer, p.nonce)
                         = (t.network, t.asset, t.sender, t.nonce) and p.status <> 'lapsed'
                   where t.block_number <= c.suspended_to and t.own is false and p.id is null
                   group by t.tx_hash, t.pay_to, t.amount) alike
           cross join lateral (
             select count(*) as deposits from deposit d
              where d.network in ('base', 'sandbox-base', 'sandbox') and d.tx_id = alike.tx_hash
                and (d.recipient, d.amount, d.asset) = (alike.pay_to, alike.amount, 'USDC')
                and (d.rail <> 'x402' or d.sender is not null)) known
           where alike.transfers > known.deposits`,
  },
  {
    name: 'the address that is paid by x402 holds what came to it less what left it',
    sql: `select c.network, c.asset, c.pay_to, c.base_block, c.base_held, c.held_block, c.held,
                 coalesce(received.amount, 0) as received, coalesce(sent.amount, 0) as sent
            from x402_cursor c
           cross join lateral (
             select sum(amount) as amount from x402_transfer t
              where (t.network, t.asset, t.pay_to) = (c.network, c.asset, c.pay_to)
                and t.block_number > c.base_block and t.block_number <= c.held_block) received
           cross join lateral (
             select sum(amount) as amount from x402_sent t
              where (t.network, t.asset, t.pay_to) = (c.network, c.asset, c.pay_to)
                and t.block_number > c.base_block and t.block_number <= c.held_block) sent
           where c.held
                 <> c.base_held + coalesce(received.amount, 0) - coalesce(sent.amount, 0)`,
  },
];
