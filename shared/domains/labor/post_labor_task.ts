import { emit } from '../events/events.ts';
import { operation } from '../../kernel/operation.ts';
import { DueAt, dueOf, Id, Input, invalid, OneOf, Text, Type, Usd } from '../../kernel/schema.ts';
import { PublicText, PublicLine } from '../../kernel/text.ts';
import { fromUsd, toUsd } from '../../kernel/money.ts';
import { column, execute, row } from '../../platform/rows.ts';
import { JsonSchema } from '../verification/result_check.ts';
import { VERIFICATION_MS_MAX } from '../verification/verification_gateway.ts';
import { assertAffords, countSpend, lockBalance } from '../wallet/spend.ts';
import { SPENDING_REFUSALS } from '../wallet/spending_refusals.ts';
import { similarityOf } from './verification/answers.ts';
import { fillEscrows } from './escrows.ts';
import {
  KINDS,
  OVERLAP_MAX,
  PRODUCT_TYPE,
  REWARD_MIN,
  UNITS_MAX,
  VERIFICATIONS,
} from './labor_task.ts';
import { LaborTaskView, laborShownTo } from './labor_view.ts';
import { knownAnswersOf, schemaFaults } from './known_answers.ts';
import { assertTemplate, TemplateInput } from './templates/template.ts';
import { assertExamplesFit } from './templates/unit_check.ts';
import { countOf, sourceOf, Units } from './units.ts';

const LEASE_SECONDS = 900;
const AUTO_ACCEPT_HOURS = 72;
/** Default overlap of a consensus: two of three decide. */
const CONSENSUS_OVERLAP = 3;
/** Maximum budget of one task, in dollars. */
const BUDGET_MAX = 1_000_000;

const Overlap = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: OVERLAP_MAX, description }));

export const postLaborTask = operation({
  name: 'post_labor_task',
  title: 'Post a labor task',
  summary:
    'Posts many small units of work, each for overlap workers, and takes ' +
    'units × max_overlap × reward into escrow. Each accepted delivery is paid from it; the rest ' +
    'comes back at the end. No fee. Send an idempotency key.',
  phrasings: `
    have images labeled or classified by others; order annotation, transcription or moderation;
    crowdsource many small units; get data labeled; I have 5 000 images to be tagged, pay per
    item; crowdsource labels; create HITs; set up piecework with reward per answer; have many
    texts moderated by several workers; labeling campaign with gold questions and consensus; buy
    annotations; create microtasks; need people to label data; post a labeling job; order
    translations in bulk; have pictures tagged; moderation by many people; distribute small tasks;
    many small jobs for workers; pay per label; start a crowdsourcing campaign; have texts
    translated; I need lots of pictures tagged; have humans check my data; get my training data
    labeled; hand out many tiny tasks; pay people per answer; need many annotators; get a
    thousand reviews classified`,
  access: 'sell',
  mode: 'job',
  queue: 'network',
  gatherMs: VERIFICATION_MS_MAX,
  rest: 'POST /api/v1/labor',
  effects: { destructive: true, takes: 'budget', assumedFacts: [] },
  refusals: ['not_found', ...SPENDING_REFUSALS],
  input: Input({
    kind: OneOf(KINDS, 'Kind of work. It decides how answers are compared.'),
    title: PublicLine(Text(1, 120, 'One line.')),
    instructions: PublicText(Text(1, 10_000, 'The work on each unit. Everybody can read it.')),
    reward: Usd('Paid for each accepted delivery.', REWARD_MIN),
    units: Type.Optional(Units),
    upload_id: Type.Optional(Id('Uploaded units, instead of units.')),
    overlap: Overlap('Workers of each unit. 1 if absent, 3 for consensus.'),
    max_overlap: Overlap('For consensus: overlap plus tie-breakers; 2 more if absent.'),
    verification: Type.Optional(
      OneOf(
        VERIFICATIONS,
        'manual (if absent): you judge. consensus: the answer of most workers is right. ' +
          "gold: by the worker's answers to gold units. schema: answers that fit json_schema are " +
          'accepted, others refused.',
      ),
    ),
    json_schema: Type.Optional(JsonSchema),
    template: Type.Optional(TemplateInput),
    similarity: Type.Optional(
      Type.Number({
        minimum: 0.5,
        maximum: 1,
        description:
          '1 - word error rate from which transcriptions (0.9 if absent) and translations (0.8) ' +
          'agree. Numbers, units, signs and negations must be equal.',
      }),
    ),
    min_accuracy: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'Share of five or more gold units that a worker must have answered correctly in 90 ' +
          'days to take others; two of each other poster count. Anybody if absent.',
      }),
    ),
    max_units_per_worker: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: UNITS_MAX,
        description: 'Units that one tree of agents delivers at most. No maximum if absent.',
      }),
    ),
    lease_seconds: Type.Optional(
      Type.Integer({
        minimum: 30,
        maximum: 86_400,
        description: `Time a worker has for a unit. ${LEASE_SECONDS} if absent.`,
      }),
    ),
    auto_accept_hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 720,
        description:
          'Time to judge what waits for you; then it is accepted. ' +
          `${AUTO_ACCEPT_HOURS} if absent.`,
      }),
    ),
    due_at: DueAt('units can be taken'),
  }),
  defaults: { verification: 'manual', lease_seconds: 900, auto_accept_hours: 72 },
  output: LaborTaskView,

  paid: {
    async costOf(tx, input) {
      return { amount: termsOf(input, await countOf(tx, input)).budget };
    },
  },

  /** The known answers that a schema must accept. */
  prepare: async (tx, input) => (input.json_schema ? knownAnswersOf(tx, input) : []),

  gather: async ({ verification }, { json_schema }, { tree }, answers) =>
    json_schema ? schemaFaults(verification, { json_schema, answers, tree }) : [],

  async handle(tx, input, faults) {
    if (faults.length > 0) throw invalid(faults);
    const { kind, title, instructions, verification = 'manual', json_schema } = input;
    if ((verification === 'schema') !== (json_schema !== undefined)) {
      const message = `${json_schema ? 'needs' : 'is required for'} verification schema`;
      throw invalid([{ pointer: '/json_schema', message }]);
    }
    const { template = null } = input;
    if (template) {
      assertTemplate(template, kind);
      assertExamplesFit(template);
    }
    const units = await sourceOf(tx, input);
    if (verification === 'gold' && units.gold === 0) {
      throw invalid([{ pointer: '/units', message: 'must have a gold unit (with expected)' }]);
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
                               auto_accept_hours, due_at, json_schema, gold, worker_units_max,
                               template)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
               $19, $20, $21, $22, $23)`,
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
        units.gold,
        input.max_units_per_worker ?? null,
        template,
      ],
    );
    await units.insert({ id, overlap, max_overlap, gold: units.gold });
    await fillEscrows(tx, { id, units: units.count, reward, max_overlap }, balance);
    const object = { kind: 'labor_task' as const, id, status: 'open' };
    const data = { task_id: id, budget: toUsd(budget) };
    await emit(tx.db, [{ agentId, type: 'labor.posted', object, data }]);
    return laborShownTo(tx, id);
  },
});

interface TermsInput {
  readonly reward: number;
  readonly verification?: (typeof VERIFICATIONS)[number];
  readonly overlap?: number;
  readonly max_overlap?: number;
}

/** Computes the workers of each unit and the budget of a task of this number of units. */
function termsOf(asked: TermsInput, units: number) {
  const { verification = 'manual' } = asked;
  const overlap = asked.overlap ?? (verification === 'consensus' ? CONSENSUS_OVERLAP : 1);
  const max_overlap = maxOverlapOf(overlap, verification, asked.max_overlap);
  const reward = fromUsd(asked.reward);
  const budget = reward * BigInt(units * max_overlap);
  if (budget <= fromUsd(BUDGET_MAX)) return { overlap, max_overlap, reward, budget };
  throw invalid([{ pointer: '/reward', message: 'must be lower: the budget exceeds $1 000 000' }]);
}

function maxOverlapOf(overlap: number, verification: string, asked: number | undefined): number {
  if (verification !== 'consensus') {
    if (asked === undefined || asked === overlap) return overlap;
    throw invalid([
      { pointer: '/max_overlap', message: "must equal overlap unless verification is 'consensus'" },
    ]);
  }
  if (overlap < 2) {
    throw invalid([
      { pointer: '/overlap', message: "must be at least 2 for verification 'consensus'" },
    ]);
  }
  const most = asked ?? Math.min(overlap + 2, OVERLAP_MAX);
  if (most >= overlap) return most;
  throw invalid([{ pointer: '/max_overlap', message: 'must not be less than overlap' }]);
}
