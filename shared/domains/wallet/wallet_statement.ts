import { selectedAgents, visibleAgent } from '../agents/tree/below.ts';
import { balanceOf, sumOf } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import {
  balanceBefore,
  statementOf,
  transfersBetween,
  type StatementEntry,
} from '../ledger/statement.ts';
import { operation } from '../../kernel/operation.ts';
import { cursorWith, positionIn } from '../../kernel/paging.ts';
import type { Tx } from '../../kernel/tx.ts';
import {
  Amount,
  Id,
  Input,
  List,
  Moment,
  Nullable,
  Output,
  Paging,
  Text,
  Time,
  timeOf,
  Type,
  type Static,
} from '../../kernel/schema.ts';
import { DESCRIPTIONS, REF_KINDS } from './statement_words.ts';

const LIMIT = 20;
/** Maximum movements that are searched for a page of those that match. */
const SEARCHED_MAX = 2_000;

const StatementInput = Input({
  from: Type.Optional(Moment('From this time on.')),
  to: Type.Optional(Moment('Before this time.')),
  agent_id: Type.Optional(Id('Only this agent of yours and those below it.')),
  counterparty_id: Type.Optional(Id('Only with this agent.')),
  kind: Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: '^[a-z]+(\\.([a-z]+|\\*))?$',
      description: 'Only this kind, as order.hold, or all of one, as order.*.',
    }),
  ),
  ...Paging,
});

const Entry = Output('StatementEntry', {
  entry_id: Text(1, 20, 'An integer.'),
  created_at: Time('Time of the movement.'),
  kind: Text(1, 40, 'Kind of movement, as order.hold.'),
  amount: Amount('Positive: into the wallet. Negative: out of it.'),
  balance_after: Amount('Balance after it.'),
  ref: Output({
    kind: Text(1, 40, 'Kind of object it belongs to.'),
    id: Text(1, 20, 'Id of that object.'),
  }),
  description: Text(1, 200, 'The entry in words.'),
  agent_id: Nullable(Id('The agent that caused it: you, or one below you; null: another.')),
  counterparty_id: Nullable(Id('The agent on the other side; null: none, or not known.')),
});

export const walletStatement = operation({
  name: 'wallet_statement',
  title: 'Read the wallet statement',
  summary:
    'Lists every movement of money in or out of the wallet, newest first, each with the balance ' +
    'after it. With filters a page may be short or empty while has_more is true. For sums, use ' +
    'spend_report or sales_report. Free.',
  phrasings: `
    list of all charges and credits; account statement, history of transactions; where did my
    money go; bookings of this month; itemised list of debits and credits; ledger of my account;
    why did my balance drop; every charge of this week; export transactions for bookkeeping;
    what was I charged for; movements between two dates; money movements; all payments in and
    out; bookkeeping entries; explain the change of my balance; transaction log; account
    activity of money; detailed list of fees paid; history of the wallet; accounting export;
    what did you charge me for; list of my transactions; who took money from my wallet; where do
    these charges come from; each credit and debit; money trail`,
  access: 'read',
  mode: 'read',
  reads: { endsAt: 'to' },
  rest: 'GET /api/v1/wallet/statement',
  refusals: ['not_found'],
  input: StatementInput,
  output: List('entries', Entry),

  async handle(tx, input) {
    const { limit = LIMIT, cursor } = input;
    const { rootId, agentId } = tx.caller;
    const search = await searchOf(tx, input);
    const agents = agentId === rootId ? undefined : await selectedAgents(tx, { below: true });

    let below = cursor === undefined ? search.below : read(cursor);
    let balance = await balanceAt(tx, below);
    const entries: Static<typeof Entry>[] = [];
    let more = true;
    // The first read has the size of a page; if few movements match, each next read is larger.
    for (let looked = 0, part = limit; more && entries.length < limit; part *= 4) {
      const most = Math.min(part, SEARCHED_MAX - looked);
      if (most === 0) break;
      const found = await statementOf(tx.db, rootId, {
        limit: most + 1,
        below,
        kind: search.kind,
        agents,
      });
      let taken = 0;
      for (const entry of found.slice(0, most)) {
        if (entries.length === limit || BigInt(entry.id) < search.first) break;
        const after = balance;
        balance -= entry.amount;
        below = entry.id;
        taken += 1;
        if (search.matches(entry)) entries.push(viewOf(entry, after));
      }
      const next = found[taken];
      more = next !== undefined && BigInt(next.id) >= search.first;
      looked += taken;
    }
    const rest = more ? write(below, balance) : null;
    return { entries, count: entries.length, next_cursor: rest, has_more: more };
  },
});

const viewOf = (entry: StatementEntry, after: bigint): Static<typeof Entry> => ({
  entry_id: entry.id,
  created_at: entry.created_at.toISOString(),
  kind: entry.kind,
  amount: toUsd(entry.amount),
  balance_after: toUsd(after),
  // While an upgrade is rolled out, a kind may be newer than this process.
  ref: { kind: REF_KINDS[entry.kind] ?? entry.kind, id: entry.ref },
  description: DESCRIPTIONS[entry.kind]?.(entry.ref) ?? entry.kind,
  agent_id: entry.agent_id,
  counterparty_id: entry.counterparty_id,
});

/** The filters of a statement, and the range of ids of transfers they allow. */
async function searchOf(tx: Tx, input: Static<typeof StatementInput>) {
  const from = timeOf(`/from`, input.from);
  const to = timeOf(`/to`, input.to);
  const { agent_id, counterparty_id, kind } = input;
  const agents =
    agent_id === undefined
      ? undefined
      : new Set(
          await selectedAgents(tx, { agent_id: await visibleAgent(tx, agent_id), below: true }),
        );
  const whole = kind?.endsWith('.*') ? kind.slice(0, -2) : undefined;
  const isOfKind = (of: string) =>
    kind === undefined || of === kind || of === whole || of.startsWith(`${whole}.`);
  const { first, below } = await transfersBetween(tx.db, { from, to });
  return {
    first,
    below,
    kind: whole ?? kind,
    matches: (entry: StatementEntry) =>
      isOfKind(entry.kind) &&
      (!from || entry.created_at >= from) &&
      (!to || entry.created_at < to) &&
      (!agents || agents.has(entry.agent_id ?? 0)) &&
      (counterparty_id === undefined || entry.counterparty_id === counterparty_id),
  };
}

/** The balance before a transfer, or now. */
const balanceAt = async ({ db, caller: { rootId } }: Tx, id: string | undefined) =>
  id === undefined ? sumOf(await balanceOf(db, rootId)) : balanceBefore(db, rootId, id);

/**
 * The cursor of the entries below one. Release 0.2.0 also reads the balance there from it; this one
 * does not believe a client about money.
 */
const write = (below: string | undefined, balance: bigint): string =>
  cursorWith(`${below}:${balance}`);

const read = (cursor: string): string => positionIn(cursor, /^(\d{1,18})(?::-?\d{1,18})?$/)[1]!;
