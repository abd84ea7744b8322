import type { Sabotage } from './sabotage.ts';

const CHARGED =
  'each token of an agent was charged to it once, and nothing else was charged for one';
const BACK = 'the fee of each token that failed is back in full, and of no other any of it';
const NAMED = 'each token that is deployed names a transaction that was signed for it';
const SIGNED = 'something is signed for each token that was submitted, and for no pending one';
const AGAIN = 'what was signed for a token again cannot pass beside what was signed before';
const CLAIMS = 'each claim is of an asset that is deployed, by the agent that issued it';
const NUMBERS = 'NFTs have the numbers of their contract without a gap';

const signed = (token: string, attempt: number, letter: string) =>
  `insert into token_transaction (token_id, attempt, tx_id, bytes, last_valid)
   values (${token}, ${attempt}, repeat('${letter}', 52), 'AA==', 100);`;

/** `:token` is pending, `:token_deployed` and `:token_failed` are so, `:nft` has number 1. */
export const TOKEN_SABOTAGES: readonly Sabotage[] = [
  {
    proof: CHARGED,
    what: 'a fee of nothing',
    sql: 'update token set agent_id = :other, root_id = :other where id = :token',
  },
  {
    proof: CHARGED,
    what: 'one of another call',
    sql: 'update token set call_id = gen_random_uuid() where id = :token',
  },
  {
    proof: BACK,
    what: 'one that failed without its fee',
    sql: `update token set status = 'failed', failure = 'A test.', closed_at = now()
           where id = :token`,
    also: [SIGNED],
  },
  {
    proof: NAMED,
    what: 'another transaction',
    sql: `update token set tx_id = repeat('X', 52) where id = :token_deployed`,
  },
  {
    proof: SIGNED,
    what: 'one that was sent unsigned',
    sql: `update token set status = 'submitted' where id = :token`,
  },
  { proof: SIGNED, what: 'one that nobody sends', sql: signed(':token', 1, 'Z') },
  { proof: AGAIN, what: 'two at the same time', sql: signed(':token_deployed', 2, 'Y') },
  {
    proof: CLAIMS,
    what: 'an asset of another agent',
    sql: `insert into token (kind, network, call_id, agent_id, root_id, address, contract_id)
          values ('claim', 'mainnet', gen_random_uuid(), :other, :other, repeat('A', 58),
                  :token_deployed)`,
  },
  { proof: NUMBERS, what: 'a gap', sql: 'update token set number = 2 where id = :nft' },
];
