import { countEach } from '../inbox/inbox_rank.ts';
import { PARTS } from '../inbox/parts.ts';
import { dailyMoney } from '../ledger/daily_money.ts';
import { DIGEST_EVENTS, type DigestData } from '../mail/digest_texts.ts';
import { toUsd } from '../../kernel/money.ts';
import { idsBetween } from '../../kernel/paging.ts';
import { shownName } from '../../kernel/text.ts';
import { column, rows, type Database } from '../../platform/rows.ts';

const DAY_MS = 86_400_000;
const AGENTS_MAX = 5;
/** The newest events of a period that are counted. */
const EVENTS_MAX = 20_000;
/** Orders to check need no decision. */
const DECIDED = PARTS.filter(({ kind }) => kind !== 'order_to_confirm');

/** The facts about the UTC days from one to another, which is not included. */
export async function findDigest(
  db: Database,
  rootId: number,
  { from, to }: { from: Date; to: Date },
): Promise<DigestData> {
  const [first, last] = [from, new Date(to.getTime() - DAY_MS)].map((at) =>
    at.toISOString().slice(0, 10),
  ) as [string, string];
  const spent = await moneyOf(db, rootId, { isSale: false, first, last });
  const earned = await moneyOf(db, rootId, { isSale: true, first, last });
  const waiting = await countEach(db, DECIDED, { agentId: rootId, rootId });
  return {
    from: first,
    to: last,
    spent: sumOf(spent),
    earned: sumOf(earned),
    agents: spent
      .filter(({ amount }) => amount > 0n)
      .slice(0, AGENTS_MAX)
      .map(({ username, amount }) => ({ name: shownName(username), amount: toUsd(amount) })),
    events: await countEvents(db, rootId, { from, to }),
    waiting: waiting.reduce((sum, { count }) => sum + count, 0),
  };
}

const MONEY = { username: column.text, amount: column.micros, count: column.int };

/** The money that each agent of the tree spent or earned, the largest sum first. */
const moneyOf = (
  db: Database,
  rootId: number,
  { isSale, first, last }: { isSale: boolean; first: string; last: string },
) =>
  rows(
    db,
    MONEY,
    `select a.username, sum(d.amount)::bigint as amount, sum(d.count)::int as count
       from (${dailyMoney({ root: '$1', isSale: '$2', since: '$3' })}) d
       join agent a on a.id = d.agent_id
      where d.day <= $4::date
      group by a.id order by amount desc, a.id`,
    [rootId, isSale, first, last],
  );

const sumOf = (parts: readonly { readonly amount: bigint; readonly count: number }[]) => ({
  amount: toUsd(parts.reduce((sum, { amount }) => sum + amount, 0n)),
  count: parts.reduce((sum, { count }) => sum + count, 0),
});

async function countEvents(
  db: Database,
  rootId: number,
  period: { from: Date; to: Date },
): Promise<Record<string, number>> {
  const events = { table: 'event', time: 'occurred_at' };
  const { first, below } = await idsBetween(db, events, period);
  const found = await rows(
    db,
    { type: column.text, count: column.int },
    `select type, count(distinct object_id)::int as count
       from (select type, object_id, occurred_at from event
              where root_id = $1 and id >= $2 and ($3::bigint is null or id < $3)
              order by id desc limit ${EVENTS_MAX}) newest
      where type = any ($4) and occurred_at >= $5 and occurred_at < $6
      group by type`,
    [rootId, first, below ?? null, DIGEST_EVENTS, period.from, period.to],
  );
  return Object.fromEntries(found.map(({ type, count }) => [type, count]));
}
