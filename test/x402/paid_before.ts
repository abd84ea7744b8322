import { randomBytes } from 'node:crypto';

import type { TestPlatform } from '../harness.ts';

/**
 * A payment of $1 by an address that had no account, as if it was settled long ago, and compared
 * with the chain.
 */
export async function paidBefore({ query }: { query: TestPlatform['query'] }): Promise<string> {
  const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`;
  const [payer, txId] = [hex(20), hex(32)];
  await query(
    `with opened as (
       insert into agent (id, username, root_id, lineage)
       select id, $1, id, array [id] from (select nextval('agent_id') as id) n returning id),
     spending as (insert into spend (agent_id, root_id) select id, id from opened),
     holding as (insert into ledger.treasury (id) select id from opened)
     insert into x402_account (address, agent_id, root_id) select $2, id, id from opened`,
    [`x402-${payer}`, payer],
  );
  await query(
    `with account as (select agent_id as id from x402_account where address = $1),
     paid as (
       insert into deposit (rail, network, tx_id, status, asset, amount, usd, rate_price,
                            rate_source, rate_at, agent_id, root_id, credited_at)
       select 'x402', 'sandbox', $2, 'credited', 'USDC', 1000000, 1000000, 1, 'par', now(), id, id,
              now() from account returning id, root_id),
     moved as (
       insert into ledger.transfer
         (ref, kind, from_account, from_id, to_account, to_id, to_root, credit, cash)
       select id, 'deposit', 'asset', 8, 'treasury', root_id, root_id, 0, 1000000 from paid)
     insert into x402_payment
       (network, asset, payer, nonce, pay_to, amount, version, authorization_sent, signature,
        valid_before, operation, input_hash, job_id, status, tx_id, deposit_id, settled_at,
        block_number)
     select 'eip155:8453', $1, $1, $2, $1, 1000000, 2, '{}', '0x', now(), 'purchase_product',
            decode(repeat('00', 32), 'hex'), gen_random_uuid(), 'settled', $2, id, now(),
            7
       from paid`,
    [payer, txId],
  );
  await query(
    `with compared as (
       insert into x402_cursor (network, asset, pay_to, began_after, compared_to, base_block,
                                base_held, held_block, held)
       values ('eip155:8453', $1, $1, 6, 7, 6, 5, 7, 1000005))
     insert into x402_transfer
       (network, asset, pay_to, tx_hash, log_index, sender, amount, block_number, nonce, credited)
     values ('eip155:8453', $1, $1, $2, 0, $1, 1000000, 7, $2, true)`,
    [payer, txId],
  );
  return payer;
}
