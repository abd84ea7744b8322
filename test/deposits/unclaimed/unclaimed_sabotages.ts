import { transfer, type Sabotage } from '../../kernel/sabotage.ts';

const BOOKED = 'each payment of nobody was booked as a liability once, at its value';
const LEFT = 'each payment of nobody left the liabilities when it was credited or paid back';
const DECIDED = 'each payment that operators decided is as they decided, and no other is';
const ACCEPTED = 'each claim on a payment that was accepted is of the tree it was credited to';

/** The one deposit that the other has, of $5, by card. */
const deposit = `(select id from deposit where root_id = :other)`;
const [asset, unclaimed] = [`'asset', 1, null`, `'unclaimed', 1, null`];
const suspends = (cash: number) =>
  `update deposit set suspended = 5 where id = ${deposit};` +
  transfer('unclaimed.receipt', deposit, cash, asset, unclaimed);
const releases = (cash: number) => transfer('unclaimed.release', deposit, cash, unclaimed, asset);
const decided = (decision: string) =>
  `insert into deposit_decision (deposit_id, ${decision}, evidence, first_operator, decided_at`;

/** Payments of nobody, which were credited or paid back. */
export const UNCLAIMED_SABOTAGES: readonly Sabotage[] = [
  {
    proof: BOOKED,
    what: 'one that was not booked',
    sql: `update deposit set suspended = 5 where id = ${deposit}; ${releases(5)}`,
  },
  { proof: BOOKED, what: 'one of another value', sql: suspends(6) + releases(5) },
  {
    proof: BOOKED,
    what: 'one that is no payment',
    sql: transfer('unclaimed.receipt', '-1', 5, asset, unclaimed),
  },
  { proof: LEFT, what: 'one that is credited, and still a liability', sql: suspends(5) },
  { proof: LEFT, what: 'one that left with less', sql: suspends(5) + releases(4) },
  {
    proof: DECIDED,
    what: 'one that nobody decided',
    sql: `update deposit set bound_by = 'operator', sender = 'a', recipient = 'b', position = 1,
                 paid_at = now() where id = ${deposit}`,
  },
  {
    proof: DECIDED,
    what: 'one that was paid back, they say, and is credited',
    sql: `${decided('decision, network, return_tx_id, return_index')})
          values (${deposit}, 'return', 'base', '0x1', 0, 'None.', 'ada', now())`,
  },
  {
    proof: DECIDED,
    what: 'one that is of another',
    sql: `update deposit set bound_by = 'operator', sender = 'a', recipient = 'b', position = 1,
                 paid_at = now() where id = ${deposit};
          ${decided('decision, agent_id')})
          values (${deposit}, 'credit', :buyer, 'None.', 'ada', now())`,
  },
  {
    proof: 'no claim is open on a payment that was credited or paid back',
    what: 'one on a deposit',
    sql: `insert into deposit_claim (deposit_id, agent_id, root_id, statement)
          values (${deposit}, :buyer, :buyer, 'It is mine.')`,
  },
  {
    proof: ACCEPTED,
    what: 'one of another tree',
    sql: `insert into deposit_claim (deposit_id, agent_id, root_id, statement, status, closed_at)
          values (${deposit}, :buyer, :buyer, 'It is mine.', 'accepted', now())`,
  },
];
