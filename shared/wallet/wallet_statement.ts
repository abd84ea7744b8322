import { agentsAsked, visibleAgent } from '../agents/tree/below.ts';
import { balanceOf, sumOf } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import {
  balanceBefore,
  statementOf,
  transfersBetween,
  type StatementEntry,
} from '../ledger/statement.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import {
  Amount,
  Id,
  Input,
  invalid,
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
} from '../kernel/schema.ts';
import { DESCRIPTIONS, REF_KINDS } from './statement_words.ts';

const LIMIT = 20;
/** How many movements are looked through for a page of those that are asked for. */
const SEARCHED_MAX = 2_000;

const Asked = Input({
  from: Type.Optional(Moment('Not before.')),
  to: Type.Optional(Moment('Before.')),
  agent_id: Type.Optional(Id('Only of this agent of yours and of those below it.')),
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
  created_at: Time('When the money moved.'),
  kind: Text(1, 40, 'What it was for, e.g. order.hold.'),
  amount: Amount('Positive: into the wallet. Negative: out of it.'),
  balance_after: Amount('The balance that it left.'),
  ref: Output({
    kind: Text(1, 40, 'What it belongs to.'),
    id: Text(1, 20, 'The id of that.'),
  }),
  description: Text(1, 200, 'In words.'),
  agent_id: Nullable(Id('The agent that caused it: you, or one below you; null: another.')),
  counterparty_id: Nullable(Id('Of these, with which agent; null: none, or not known.')),
});

export const walletStatement = operation({
  name: 'wallet_statement',
  title: 'Read the wallet statement',
  summary:
    'Lists every movement of money in or out of the wallet, newest first, each with the balance ' +
    'after it. With filters a page may be short or empty while has_more is true. Free.',
  access: 'read',
  mode: 'read',
  domain: 'wallet',
  rest: 'GET /api/v1/wallet/statement',
  refusals: ['not_found'],
  input: Asked,
  output: List('entries', Entry),

  async handle(tx, input) {
    const { limit = LIMIT, cursor } = input;
    const { rootId, agentId } = tx.caller;
    const search = await searchOf(tx, input);
    const agents = agentId === rootId ? undefined : await agentsAsked(tx, { below: true });

    let { below, balance } = cursor === undefined ? await startOf(tx, search.below) : read(cursor);
    const entries: Static<typeof Entry>[] = [];
    let more = true;
    // A page is read at once; where few of the movements are asked for, ever more of them are.
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
    const rest = more ? write({ below, balance }) : null;
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

/** What is searched for, and between which ids of transfers it is. */
async function searchOf(tx: Tx, input: Static<typeof Asked>) {
  const from = timeOf(`/from`, input.from);
  const to = timeOf(`/to`, input.to);
  const { agent_id, counterparty_id, kind } = input;
  const agents =
    agent_id === undefined
      ? undefined
      : new Set(await agentsAsked(tx, { agent_id: await visibleAgent(tx, agent_id), below: true }));
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

interface Position {
  readonly below: string | undefined;
  /** The balance after the first entry below it. */
  readonly balance: bigint;
}

/** Where a statement begins that has no cursor: now, or below this transfer. */
async function startOf({ db, caller }: Tx, below: string | undefined): Promise<Position> {
  const { rootId } = caller;
  if (below !== undefined) return { below, balance: await balanceBefore(db, rootId, below) };
  return { below, balance: sumOf(await balanceOf(db, rootId)) };
}

/** The cursor carries the running balance, so a deep page costs no more than the first. */
const write = ({ below, balance }: Position): string =>
  Buffer.from(`${below}:${balance}`).toString('base64url');

function read(cursor: string): Position {
  const match = /^(\d{1,18}):(-?\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) {
    throw invalid([{ pointer: '/cursor', message: 'is not a next_cursor of this list' }]);
  }
  return { below: match[1]!, balance: BigInt(match[2]!) };
}
