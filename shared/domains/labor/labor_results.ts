import { setImmediate } from 'node:timers/promises';

import { operation } from '../../kernel/operation.ts';
import { cursorWith, positionIn } from '../../kernel/paging.ts';
import { Id, Input, Nullable, Output, Paging, Type, Untrusted } from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { column, nullable, rows, type Row } from '../../platform/rows.ts';
import { findClaims, isReadable, type ClaimOfUnit } from './claims.ts';
import { findLabor } from './locked_claims.ts';
import { assertPosts } from './own_claims.ts';
import { taskAlpha } from './results/task_alpha.ts';
import { agreementOf, alphaOf, valuesOf, type Values } from './verification/agreement.ts';

const LIMIT = 50;
const LIMIT_MAX = 100;

export const laborResults = operation({
  name: 'labor_results',
  title: 'Download the results of labor',
  summary:
    'Returns the answers to a labor task that you posted, as JSONL: a line has a unit, its ' +
    'answers, the one accepted, and their agreement. An answer that you are not asked about is ' +
    'null until paid. Files: results.jsonl, .csv and .json (Label Studio). Free.',
  phrasings: `
    download the finished labels; final annotations, dataset of answers; agreed results of my
    labeling job; export all labels; download consensus answers as JSONL; get the annotated
    data; final output of my crowdsourced task; get the labels; results of labeling; download
    annotations; finished answers so far; export the labeled data; outcome of my microwork;
    collect results from workers; where are my labels; collect the labeled data; give me the
    finished data; is my labeling done, get it; results file; outcome of the annotation`,
  access: 'sell',
  mode: 'read',
  rest: 'GET /api/v1/labor/:task_id/results',
  refusals: ['not_found', 'forbidden'],
  input: Input({
    task_id: Id('A labor task of yours.'),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: 'Units; 50 if absent.' }),
    ),
    cursor: Paging.cursor,
  }),
  output: Output('LaborResults', {
    task_id: Id('The labor task.'),
    jsonl: Untrusted('A line of JSON for each unit.'),
    alpha: Nullable(
      Type.Number({
        description:
          "Krippendorff's alpha of these units: 1 if all agree, 0 as by chance. null: no two " +
          'answers, or all are equal.',
      }),
    ),
    task_alpha: Nullable(
      Type.Number({
        description: 'Alpha of at most 2 000 units, spread evenly. null on later pages.',
      }),
    ),
    task_alpha_units: Type.Integer({ description: 'Units with two answers in it.' }),
    count: Type.Integer({ description: 'Units on this page.' }),
    next_cursor: Nullable(Type.String({ description: 'The cursor of the next page.' })),
    has_more: Type.Boolean({ description: 'Whether there is a next page.' }),
  }),

  async handle(tx, { task_id, limit = LIMIT, cursor }) {
    await assertPosts(tx, task_id);
    const [task] = await findLabor(tx.db, [task_id]);
    const found = await rows(
      tx.db,
      UNIT,
      `select id, coalesce(line, n) as n, payload, answer,
              case when voided_at is null then expected end as expected
         from labor_unit
        where task_id = $1 and ${task!.gold > 0 ? 'line' : 'n'} > $2
        order by ${task!.gold > 0 ? 'line' : 'n'} limit $3`,
      [task_id, afterOf(cursor), limit + 1],
    );
    const page = found.slice(0, limit);
    const claims = await findClaims(
      tx.db,
      'where c.unit_id = any ($1) and c.submission is not null order by c.id',
      [page.map(({ id }) => id)],
    );
    const known = new Map<string, number>();
    const answered: UnitAnswers[] = [];
    for (const unit of page) {
      const answers = claims.filter(({ unit_id }) => unit_id === unit.id);
      const submissions = answers.filter(isCompared).map(({ submission }) => submission!);
      answered.push({ unit, answers, values: valuesOf(task!, submissions, known) });
      // Comparing long answers takes a while, in which other calls go on.
      await setImmediate();
    }
    const has_more = found.length > limit;
    const whole = cursor === undefined ? await taskAlpha(tx.db, task!) : { alpha: null, units: 0 };
    return {
      task_id,
      jsonl: untrusted(answered.map((one) => `${JSON.stringify(lineOf(one))}\n`).join('')),
      alpha: rounded(alphaOf(answered.map(({ values }) => values))),
      task_alpha: rounded(whole.alpha),
      task_alpha_units: whole.units,
      count: page.length,
      next_cursor: has_more ? cursorAfter(page.at(-1)!.n) : null,
      has_more,
    };
  },
});

const UNIT = {
  id: column.id,
  n: column.int,
  payload: column.text,
  expected: nullable(column.text),
  answer: nullable(column.text),
};

interface UnitAnswers {
  readonly unit: Row<typeof UNIT>;
  readonly answers: readonly ClaimOfUnit[];
  readonly values: Values;
}

const lineOf = ({ unit, answers, values }: UnitAnswers) => ({
  unit_id: unit.id,
  n: unit.n,
  payload: unit.payload,
  ...(unit.expected !== null && { expected: unit.expected }),
  answer: unit.answer ?? answers.find(({ status }) => status === 'accepted')?.submission ?? null,
  agreement: rounded(agreementOf(values)),
  answers: answers.map((claim) => ({
    claim_id: claim.id,
    worker_id: claim.agent_id,
    status: claim.status,
    submission: isReadable(claim) ? claim.submission : null,
  })),
});

/** Whether the poster may know how far an answer agrees: it is judged, or waits for the poster. */
const isCompared = (claim: ClaimOfUnit) => isReadable(claim) || claim.status === 'rejected';

const rounded = (value: number | null) => (value === null ? null : Number(value.toFixed(4)));

/** The unit after which a page begins. Cursors are opaque and hold its number. */
function afterOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  return Number(positionIn(cursor, /^\d{1,6}$/)[0]);
}

const cursorAfter = (n: number): string => cursorWith(String(n));
