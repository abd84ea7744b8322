import type { Sabotage } from '../../kernel/sabotage.ts';

const HELD = 'each of our addresses holds by its chain what the books say came to it and left it';

/** The one deposit that the other has becomes one at this address, in block 5. */
const PAID = `
  update deposit set network = 'sandbox-arbitrum', asset = 'ETH', amount = 7, sender = '0xab',
         recipient = '0xcd', position = 5, paid_at = now(), bound_by = 'operator'
   where root_id = :other;`;
const DECIDED = 'each payment that operators decided is as they decided, and no other is';

/** An address that held 3 after block 4, and holds so much after this block. */
const holds = (held: number, { block = 9, moved = 0 } = {}) => `
  insert into chain_balance_page (network, page, block) values ('sandbox-arbitrum', -1, ${block});
  insert into chain_balance (network, asset, address, page, base_block, base, held, moved)
  values ('sandbox-arbitrum', 'ETH', '0xcd', -1, 4, 3, ${held}, ${moved});`;

const also = [DECIDED];

/** Balances by the chain, and what the books say of them. */
export const BALANCE_SABOTAGES: readonly Sabotage[] = [
  { proof: HELD, what: 'more than the books say', sql: holds(4) },
  { proof: HELD, what: 'a payment that is not there', sql: PAID + holds(3), also },
  { proof: HELD, what: 'one of a later block', sql: PAID + holds(10, { block: 4 }), also },
  { proof: HELD, what: 'less left it', sql: holds(1, { moved: -1 }) },
  {
    proof: HELD,
    what: 'one that no list explains',
    sql: `${holds(3)} update chain_balance set differs = 2 where address = '0xcd';`,
  },
  {
    proof: HELD,
    what: 'one that another asset paid',
    sql: PAID.replace('ETH', 'USDC') + holds(10),
    also,
  },
];
