import { holdOpenAccount } from '../agents/account/open_account.ts';
import { emit } from '../events/events.ts';
import { expense, insertTransfers, lockTreasuries, treasury } from '../ledger/ledger.ts';
import { fromUsd, toUsd, type Micros } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Text, Type, Usd } from '../../kernel/schema.ts';
import { field, view } from '../../kernel/view.ts';
import { column, execute, row, rows, type Row } from '../../platform/rows.ts';

const GOODWILL = view('Goodwill', {
  goodwill_id: field.id('The credit.'),
  agent_id: field.id('The agent that got it.'),
  amount: field.amount('Credit given.'),
  reference: field.text('The reference paid.'),
  given_by: field.text('The operator.'),
  given_at: field.time('Time of the first call.'),
});
type Given = Row<typeof GOODWILL.columns>;
const RETURNED =
  'id as goodwill_id, agent_id, amount, reference, operator as given_by, created_at as given_at';

export const giveGoodwill = operation({
  name: 'give_goodwill',
  title: 'Give goodwill credit',
  summary:
    'Operators: gives an agent credit, which its tree can spend and not withdraw, once for a ' +
    'reference. Each credit and each day have a limit.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/agents/:agent_id/goodwill',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'agent', field: 'agent_id' }, idempotent: true },
  refusals: ['not_found', 'invalid_transition', 'idempotency_conflict', 'daily_limit_exceeded'],
  input: Input({
    agent_id: Id('The agent. Its whole tree can spend the credit.'),
    amount: Usd('Credit in USD.', 0.000001),
    reference: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[\\x21-\\x7e]+$',
      description: 'Reason, as a ticket number, without spaces: each is paid once.',
    }),
    note: Type.Optional(Text(1, 500, 'A note for the audit log.')),
  }),
  output: GOODWILL.schema,

  async handle(tx, { agent_id, amount: usd, reference }) {
    const amount = fromUsd(usd);
    const { perCredit } = tx.config.wallet.goodwill;
    if (amount > fromUsd(perCredit)) {
      throw invalid([{ pointer: '/amount', message: `must be at most ${perCredit}` }]);
    }
    const rootId = await lockTreeOf(tx, agent_id);
    const given = await record(tx, { agent_id, rootId, amount, reference });
    if (!given) {
      return GOODWILL.show(await findGiven(tx, { agent_id, amount, reference }));
    }
    await holdOpenAccount(tx.db, agent_id);
    await countToday(tx, amount);
    await insertTransfers(tx, [
      {
        kind: 'goodwill',
        ref: given.goodwill_id,
        from: expense,
        to: treasury(rootId),
        credit: amount,
        cash: 0n,
      },
    ]);
    const object = { kind: 'goodwill' as const, id: given.goodwill_id, status: 'given' };
    const data = { agent_id, amount: toUsd(amount) };
    await emit(tx.db, [{ agentId: agent_id, type: 'goodwill.given', object, data }]);
    return GOODWILL.show(given);
  },
});

interface Goodwill {
  readonly agent_id: number;
  readonly amount: Micros;
  readonly reference: string;
}

/** Locks the tree of the agent, before any other lock. */
async function lockTreeOf({ db }: Tx, agentId: number): Promise<number> {
  const sql = 'select root_id from agent where id = $1';
  const [agent] = await rows(db, { root_id: column.id }, sql, [agentId]);
  if (!agent) throw new Refusal('not_found', `There is no agent ${agentId}.`);
  await lockTreasuries(db, [agent.root_id]);
  return agent.root_id;
}

/** Records a credit. Undefined: the reference was paid before. Waits for a call paying it now. */
async function record(
  { db, caller }: Tx,
  { agent_id, rootId, amount, reference }: Goodwill & { readonly rootId: number },
): Promise<Given | undefined> {
  const [given] = await rows(
    db,
    GOODWILL.columns,
    `insert into goodwill (reference, agent_id, root_id, amount, operator)
     values ($1, $2, $3, $4, $5) on conflict do nothing returning ${RETURNED}`,
    [reference, agent_id, rootId, amount, caller.operator],
  );
  return given;
}

/** Finds the credit paid for the reference. Refuses if its agent or amount differs. */
async function findGiven({ db }: Tx, asked: Goodwill): Promise<Given> {
  const sql = `select ${RETURNED} from goodwill where reference = $1`;
  const given = await row(db, GOODWILL.columns, sql, [asked.reference]);
  if (given.agent_id === asked.agent_id && given.amount === asked.amount) return given;
  throw new Refusal(
    'idempotency_conflict',
    `Agent ${given.agent_id} was given $${toUsd(given.amount)} for this reference. Use a new ` +
      'reference for another credit.',
  );
}

/** Counts a credit for the daily limit. Exact: the row of the day is locked until COMMIT. */
async function countToday({ db, config }: Tx, amount: Micros): Promise<void> {
  const { perDay } = config.wallet.goodwill;
  const counted = await execute(
    db,
    `insert into goodwill_day as today (day, granted)
     select (now() at time zone 'UTC')::date, $1::bigint where $1::bigint <= $2::bigint
     on conflict (day) do update set granted = today.granted + excluded.granted
      where today.granted + excluded.granted <= $2::bigint
     returning day`,
    [amount, fromUsd(perDay)],
  );
  if (counted === 1) return;
  throw new Refusal(
    'daily_limit_exceeded',
    `Operators may give $${perDay} a day (UTC), and this amount exceeds what is left today.`,
    { limit: perDay },
  );
}
