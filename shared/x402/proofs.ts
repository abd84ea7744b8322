import type { Proof } from '../ledger/proof.ts';

/** That payments by x402 are credited once, to those whose calls they paid for. */
export const x402Proofs: readonly Proof[] = [
  {
    name: 'each settled payment by x402 is one deposit, in full, of its caller or else its payer',
    sql: `select p.id as payment, p.tx_id, p.amount, p.whose, d.id as deposit, d.tx_id as paid_by,
                 d.usd, d.root_id
            from (select p.*, coalesce(p.root_id, a.agent_id) as whose
                    from x402_payment p left join x402_account a on a.address = p.payer
                   where p.status = 'settled') p
            full join (select * from deposit where rail = 'x402') d on d.id = p.deposit_id
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
];
