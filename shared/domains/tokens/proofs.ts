import type { Proof } from '../ledger/proof.ts';

/** Proofs that tokens, their charges and their transactions agree. */
export const tokensProofs: readonly Proof[] = [
  {
    name: 'each token of an agent was charged to it once, and nothing else was charged for one',
    sql: `select t.id as token, t.agent_id, c.id as charge, c.agent_id as charged
            from (select * from token where kind not in ('contract', 'claim')) t
            full join (select * from charge where service = 'token') c on c.id = t.charge_id
           where t.id is null or c.id is null or t.agent_id <> c.agent_id
              or t.call_id <> c.call_id`,
  },
  {
    name: 'the fee of each token that failed is back in full, and of no other any of it',
    sql: `select t.id as token, t.status, c.credit, c.cash, c.refunded_credit, c.refunded_cash
            from token t join charge c on c.id = t.charge_id
           where (c.refunded_credit, c.refunded_cash)
              <> case when t.status = 'failed' then (c.credit, c.cash)
                      else (0::bigint, 0::bigint) end`,
  },
  {
    name: 'each token that is deployed names a transaction that was signed for it',
    sql: `select t.id as token, t.tx_id from token t
           where t.status = 'deployed' and not exists (
             select from token_transaction s where s.token_id = t.id and s.tx_id = t.tx_id)`,
  },
  {
    name: 'something is signed for each token that was submitted, and for no pending one',
    sql: `select t.id as token, t.status from token t
           where (t.status = 'pending')
               = exists (select from token_transaction s where s.token_id = t.id)`,
  },
  {
    name: 'what was signed for a token again cannot pass beside what was signed before',
    sql: `select s.token_id as token, s.attempt, s.last_valid from token_transaction s
            left join token_transaction before
              on before.token_id = s.token_id and before.attempt = s.attempt - 1
           where s.attempt > 1 and (before.token_id is null or before.last_valid >= s.last_valid)`,
  },
  {
    name: 'each claim is of an asset that is deployed, by the agent that issued it',
    sql: `select t.id as token, t.agent_id, asset.id as asset, asset.status
            from token t left join token asset on asset.id = t.contract_id
           where t.kind = 'claim'
             and ((asset.kind, asset.status, asset.agent_id) is distinct from
                  ('asa', 'deployed', t.agent_id)
               or t.status = 'deployed' and t.algo_id <> asset.algo_id)`,
  },
  {
    name: 'NFTs have the numbers of their contract without a gap',
    sql: `select contract_id, count(*) as nfts, min(number) as least, max(number) as most
            from token where number is not null
           group by contract_id having count(*) <> max(number) or min(number) <> 1`,
  },
];
