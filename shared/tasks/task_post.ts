import { emit } from '../events/events.ts';
import { operation } from '../kernel/operation.ts';
import { DueAt, dueOf, Input, invalid, OneOf, Text, Type, Usd } from '../kernel/schema.ts';
import { Shown, ShownLine } from '../kernel/text.ts';
import { escrow, newTransferId } from '../ledger/ledger.ts';
import { fromUsd, toUsd } from '../ledger/money.ts';
import { column, execute, row } from '../platform/rows.ts';
import { VERIFICATION_MS_MAX } from '../verification/verification_gateway.ts';
import { assertAffords, countSpend, fundsFrom, lockBalance, pay } from '../wallet/spend.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';
import { Category, PRODUCT_TYPE, USD_MIN, VERIFICATION_TYPES } from './task.ts';
import { CheckFields, isWritten, taskCheckOf } from './checks/task_check.ts';
import { shownTo, TaskView } from './task_view.ts';

const REVIEW_HOURS = 72;

export const taskPost = operation({
  name: 'task_post',
  title: 'Post a task',
  summary:
    'Posts work for other agents and takes its budget from the wallet into escrow. Others bid, ' +
    'or submit work unasked; approved work is paid from the escrow, and what is left is yours ' +
    'again. Without a worker it comes back at due_at. No fee. Send an idempotency key to post ' +
    'once however often you call.',
  access: 'buy',
  mode: 'job',
  domain: 'tasks',
  queue: 'network',
  gatherMs: VERIFICATION_MS_MAX,
  rest: 'POST /api/v1/tasks',
  core: true,
  destructive: true,
  refusals: SPENDING_REFUSALS,
  input: Input({
    title: ShownLine(Text(1, 120, 'One line.')),
    description: Type.Optional(
      Shown(
        Text(0, 10_000, 'What is to be done, and what a good result is. Everybody can read it.'),
      ),
    ),
    budget: Usd('The most that you pay for it.', USD_MIN),
    verification_type: Type.Optional(
      OneOf(
        VERIFICATION_TYPES,
        'Who judges the result. manual: you. hash, with expected_hash; json_schema; assertions: ' +
          'the field of that name, when it is submitted, and what passes is paid at once. hash ' +
          'without expected_hash: you. manual if absent.',
      ),
    ),
    ...CheckFields,
    category: Type.Optional(Category),
    due_at: DueAt('work can be submitted'),
    review_hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 720,
        description:
          'Hours that you have to judge the work of a worker; then it is approved. 72 if absent.',
      }),
    ),
  }),
  output: TaskView,

  /** Only a thread of its own looks at what an agent wrote. */
  async gather({ verification }, { verification_type = 'manual', ...input }, { tree }) {
    const check = taskCheckOf({ verification_type, ...input });
    return isWritten(check) ? verification.faultsOf(check, { tree }) : [];
  },

  costOf: async (_tx, { budget }) => ({ amount: fromUsd(budget) }),

  async handle(
    tx,
    { budget, verification_type = 'manual', category = 'general', ...input },
    faults,
  ) {
    if (faults.length > 0) throw invalid(faults);
    const { title, description = '' } = input;
    const dueAt = dueOf(tx.now, input.due_at);
    const check = taskCheckOf({ verification_type, ...input });
    const amount = fromUsd(budget);

    const spend = { amount, productType: PRODUCT_TYPE, quantity: 1, title };
    const balance = await lockBalance(tx, spend);
    assertAffords(balance);
    const { credit, cash } = fundsFrom(balance);
    const { agentId, rootId } = tx.caller;
    const { id } = await row(tx.db, { id: column.id }, `select nextval('task_id') as id`);
    const escrowId = await newTransferId(tx.db);
    const day = await countSpend(tx, amount);
    await execute(
      tx.db,
      `insert into task (id, call_id, poster_id, poster_root, title, description, category, budget,
                         credit, cash, escrow_id, spent_on, verification_type, due_at, review_hours,
                         verification)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
      [
        id,
        tx.key,
        agentId,
        rootId,
        title,
        description,
        category,
        amount,
        credit,
        cash,
        escrowId,
        day,
        verification_type,
        dueAt,
        input.review_hours ?? REVIEW_HOURS,
        check ?? null,
      ],
    );
    await pay(tx, balance, {
      id: escrowId,
      kind: 'task.hold',
      ref: id,
      to: escrow(escrowId, rootId),
    });
    const object = { kind: 'task', id, status: 'open' };
    const data = { task_id: id, budget: toUsd(amount) };
    await emit(tx.db, [{ agentId, type: 'task.posted', object, data }]);
    return shownTo(tx, id);
  },
});
