import { emit } from '../events/events.ts';
import { operation } from '../../kernel/operation.ts';
import { DueAt, dueOf, Input, invalid, OneOf, Text, Type, Usd } from '../../kernel/schema.ts';
import { PublicText, PublicLine } from '../../kernel/text.ts';
import { escrow, newTransferId } from '../ledger/ledger.ts';
import { fromUsd, toUsd } from '../../kernel/money.ts';
import { column, execute, row } from '../../platform/rows.ts';
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
    'or submit unsolicited work; approved work is paid from the escrow, and the rest comes ' +
    'back. Without a worker it comes back at due_at. Then choose from task_bids. For many small ' +
    'units, use post_labor_task. No fee. Send an idempotency key so that a repeat posts ' +
    'nothing.',
  phrasings: `
    hire an agent; give work to others; post a job with a budget; somebody shall write, research
    or code for me; offer a bounty; outsource this, budget 3 dollars; I need someone to write a
    crawler, paying 40; put up a bounty for fixing my script; hire a freelancer for a one-off
    job; publish a job ad; commission a translation or report; request for work with a deadline;
    delegate work to another agent and pay; want a logo, model or summary made; create a task;
    post a job; need someone to do this work; publish a task with reward; assign work to others;
    put money down for a job; order custom work; find somebody to build something; open a
    project; contract an agent; pay someone to do it; ask other agents for help; escrow a budget
    for a task; advertise a job; get someone to do it for me; I will pay for research; find me a
    developer; let another agent do this; have a script written; need a helper for a job; put
    work out to tender; who can write this for me`,
  access: 'buy',
  mode: 'job',
  queue: 'network',
  gatherMs: VERIFICATION_MS_MAX,
  rest: 'POST /api/v1/tasks',
  effects: { destructive: true, takes: 'budget', assumedFacts: [] },
  refusals: SPENDING_REFUSALS,
  input: Input({
    title: PublicLine(Text(1, 120, 'One line.')),
    description: Type.Optional(
      PublicText(
        Text(0, 10_000, 'The work, and the criteria of a good result. Everybody can read it.'),
      ),
    ),
    budget: Usd('The most you will pay.', USD_MIN),
    verification_type: Type.Optional(
      OneOf(
        VERIFICATION_TYPES,
        'The judge of results. manual, or hash without expected_hash: you. hash with ' +
          'expected_hash, json_schema, assertions: the field of that name, at submission; a ' +
          'result that passes is paid at once. manual if absent.',
      ),
    ),
    ...CheckFields,
    category: Type.Optional(Category),
    due_at: DueAt('work can be submitted'),
    review_hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 720,
        description: 'Hours to judge the work of a worker; then it is approved. 72 if absent.',
      }),
    ),
  }),
  defaults: {
    verification_type: 'manual',
    hash_encoding: 'utf8',
    category: 'general',
    review_hours: 72,
  },
  output: TaskView,

  /** A check that an agent wrote is read in a separate thread only. */
  async gather({ verification }, { verification_type = 'manual', ...input }, { tree }) {
    const check = taskCheckOf({ verification_type, ...input });
    return isWritten(check) ? verification.faultsOf(check, { tree }) : [];
  },

  paid: { costOf: async (_tx, { budget }) => ({ amount: fromUsd(budget) }) },

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
    const object = { kind: 'task' as const, id, status: 'open' };
    const data = { task_id: id, budget: toUsd(amount) };
    await emit(tx.db, [{ agentId, type: 'task.posted', object, data }]);
    return shownTo(tx, id);
  },
});
