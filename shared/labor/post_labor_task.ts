import { emit } from '../events/events.ts';
import { operation } from '../kernel/operation.ts';
import { DueAt, dueOf, Id, Input, invalid, OneOf, Text, Type, Usd } from '../kernel/schema.ts';
import { Shown, ShownLine } from '../kernel/text.ts';
import { fromUsd, toUsd } from '../ledger/money.ts';
import { column, execute, row } from '../platform/rows.ts';
import { JsonSchema } from '../verification/result_check.ts';
import { VERIFICATION_MS_MAX } from '../verification/verification_gateway.ts';
import { assertAffords, countSpend, lockBalance } from '../wallet/spend.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';
import { similarityOf } from './verification/answers.ts';
import { fillEscrows } from './escrows.ts';
import { KINDS, OVERLAP_MAX, PRODUCT_TYPE, REWARD_MIN, VERIFICATIONS } from './labor_task.ts';
import { LaborTaskView, laborShownTo } from './labor_view.ts';
import { countOf, sourceOf, Units } from './units.ts';

const LEASE_SECONDS = 900;
const AUTO_ACCEPT_HOURS = 72;
/** Of a consensus: two of three decide. */
const CONSENSUS_OVERLAP = 3;
/** Dollars of one task. */
const BUDGET_MAX = 1_000_000;

const Overlap = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: OVERLAP_MAX, description }));

export const postLaborTask = operation({
  name: 'post_labor_task',
  title: 'Post a labor task',
  summary:
    'Posts many small units of work, each for as many workers as overlap says, and takes ' +
    'units × max_overlap × reward into escrow. Each accepted delivery is paid ' +
    'from it; the rest comes back at the end. No fee. Send an idempotency key to post once ' +
    'however often you call.',
  access: 'sell',
  mode: 'job',
  domain: 'labor',
  queue: 'network',
  gatherMs: VERIFICATION_MS_MAX,
  rest: 'POST /api/v1/labor',
  destructive: true,
  refusals: ['not_found', ...SPENDING_REFUSALS],
  input: Input({
    kind: OneOf(KINDS, 'What sort of work: it says how answers are compared.'),
    title: ShownLine(Text(1, 120, 'One line.')),
    instructions: Shown(Text(1, 10_000, 'What to do with each unit. Everybody can read it.')),
    reward: Usd('For each accepted delivery.', REWARD_MIN),
    units: Type.Optional(Units),
    upload_id: Type.Optional(Id('Of units that were uploaded; instead of units.')),
    overlap: Overlap('Workers that do each unit. 1 if absent, 3 of a consensus.'),
    max_overlap: Overlap('Of a consensus: with those that settle a draw; 2 more if absent.'),
    verification: Type.Optional(
      OneOf(
        VERIFICATIONS,
        'manual (if absent): you judge. consensus: what most workers of a unit answer is right. ' +
          "gold: by the worker's answers to gold units. schema: what fits json_schema is " +
          'accepted, the rest is not taken.',
      ),
    ),
    json_schema: Type.Optional(JsonSchema),
    similarity: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 1,
        description:
          'Answers of transcription and translation are the same from this part of equal ' +
          'characters on, by edit distance: 0.9 and 0.8 if absent. Others must be equal, but for ' +
          'case and spaces.',
      }),
    ),
    min_accuracy: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Of five or more gold units a worker must have answered this part rightly to take ' +
          'units. Anybody if absent.',
      }),
    ),
    lease_seconds: Type.Optional(
      Type.Integer({
        minimum: 30,
        maximum: 86_400,
        description: `How long a worker has for a unit. ${LEASE_SECONDS} if absent.`,
      }),
    ),
    auto_accept_hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 720,
        description: `A delivery is accepted after this. ${AUTO_ACCEPT_HOURS} if absent.`,
      }),
    ),
    due_at: DueAt('units can be taken'),
  }),
  output: LaborTaskView,

  async costOf(tx, input) {
    return { amount: termsOf(input, await countOf(tx, input)).budget };
  },

  /** Only a thread of its own looks at what an agent wrote. */
  gather: async ({ verification }, { json_schema }, { tree }) =>
    json_schema ? verification.faultsOf({ json_schema }, { tree }) : [],

  async handle(tx, input, faults) {
    if (faults.length > 0) throw invalid(faults);
    const { kind, title, instructions, verification = 'manual', json_schema } = input;
    if ((verification === 'schema') !== (json_schema !== undefined)) {
      const message = json_schema ? 'is for schema' : 'is missing for verification schema';
      throw invalid([{ pointer: '/json_schema', message }]);
    }
    const units = await sourceOf(tx, input);
    if (verification === 'gold' && units.gold === 0) {
      throw invalid([
        { pointer: '/units', message: 'needs a gold unit, with its expected answer' },
      ]);
    }
    const dueAt = dueOf(tx.now, input.due_at);
    const { overlap, max_overlap, reward, budget } = termsOf(input, units.count);

    const spend = { amount: budget, productType: PRODUCT_TYPE, quantity: 1, title };
    const balance = await lockBalance(tx, spend);
    assertAffords(balance);
    const { agentId, rootId } = tx.caller;
    const { id } = await row(tx.db, { id: column.id }, `select nextval('labor_task_id') as id`);
    const day = await countSpend(tx, budget);
    await execute(
      tx.db,
      `insert into labor_task (id, call_id, poster_id, poster_root, kind, title, instructions,
                               reward, units, overlap, max_overlap, budget, spent_on,
                               lease_seconds, verification, similarity, min_accuracy,
                               auto_accept_hours, due_at, json_schema)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
               $19, $20)`,
      [
        id,
        tx.key,
        agentId,
        rootId,
        kind,
        title,
        instructions,
        reward,
        units.count,
        overlap,
        max_overlap,
        budget,
        day,
        input.lease_seconds ?? LEASE_SECONDS,
        verification,
        similarityOf(kind, input.similarity),
        input.min_accuracy ?? null,
        input.auto_accept_hours ?? AUTO_ACCEPT_HOURS,
        dueAt,
        json_schema ?? null,
      ],
    );
    await units.insert({ id, overlap });
    await fillEscrows(tx, { id, units: units.count, reward, max_overlap }, balance);
    const object = { kind: 'labor_task', id, status: 'open' };
    const data = { task_id: id, budget: toUsd(budget) };
    await emit(tx.db, [{ agentId, type: 'labor.posted', object, data }]);
    return laborShownTo(tx, id);
  },
});

interface AskedTerms {
  readonly reward: number;
  readonly verification?: (typeof VERIFICATIONS)[number];
  readonly overlap?: number;
  readonly max_overlap?: number;
}

/** Who does each of so many units, and what all of that costs. */
function termsOf(asked: AskedTerms, units: number) {
  const { verification = 'manual' } = asked;
  const overlap = asked.overlap ?? (verification === 'consensus' ? CONSENSUS_OVERLAP : 1);
  const max_overlap = maxOverlapOf(overlap, verification, asked.max_overlap);
  const reward = fromUsd(asked.reward);
  const budget = reward * BigInt(units * max_overlap);
  if (budget <= fromUsd(BUDGET_MAX)) return { overlap, max_overlap, reward, budget };
  throw invalid([{ pointer: '/reward', message: 'makes more than $1 000 000 in all' }]);
}

function maxOverlapOf(overlap: number, verification: string, asked: number | undefined): number {
  if (verification !== 'consensus') {
    if (asked === undefined || asked === overlap) return overlap;
    throw invalid([{ pointer: '/max_overlap', message: 'is for verification consensus' }]);
  }
  if (overlap < 2) {
    throw invalid([{ pointer: '/overlap', message: 'must be at least 2 for a consensus' }]);
  }
  const most = asked ?? Math.min(overlap + 2, OVERLAP_MAX);
  if (most >= overlap) return most;
  throw invalid([{ pointer: '/max_overlap', message: 'must not be less than overlap' }]);
}
