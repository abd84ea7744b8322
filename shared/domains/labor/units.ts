import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input, invalid, Text, Type, type Static } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { column, execute, jsonOf, row, rows, type Database } from '../../platform/rows.ts';
import { PAYLOAD_CHARS_MAX } from './labor_task.ts';
import type { Template } from './templates/template.ts';
import { assertUnitsFit } from './templates/unit_check.ts';

/** Maximum units of one call. */
const UNITS_OF_CALL_MAX = 1_000;

export const UnitInput = Input({
  payload: PublicText(Text(1, PAYLOAD_CHARS_MAX, 'The text for the worker, or its address.')),
  expected: Type.Optional(
    PublicText(
      Text(
        1,
        PAYLOAD_CHARS_MAX,
        'The known answer: this makes it a gold unit. Workers never see it.',
      ),
    ),
  ),
});

export const Units = Type.Array(UnitInput, {
  minItems: 1,
  maxItems: UNITS_OF_CALL_MAX,
  description:
    `The units, at most ${UNITS_OF_CALL_MAX} in a call. For more, upload them first with ` +
    'POST /api/v1/labor/uploads, and give upload_id instead.',
});
export type NewUnit = Static<typeof UnitInput>;

export const isGold = ({ expected }: NewUnit): boolean => expected !== undefined;

/** A gold unit is answered by up to max_overlap workers, another by overlap. */
interface NewTask {
  readonly id: number;
  readonly overlap: number;
  readonly max_overlap: number;
  readonly gold: number;
}

/** The units of a task to be posted: sent in the call, or uploaded before. */
interface Source {
  readonly count: number;
  readonly gold: number;
  /** Records them as units of a task, in their order. */
  insert(task: NewTask): Promise<void>;
}

/** Number of units, whether sent in the call or uploaded before. */
export async function countOf(
  tx: Tx,
  { units, upload_id }: { units?: readonly NewUnit[]; upload_id?: number },
): Promise<number> {
  if (units && upload_id === undefined) return units.length;
  if (!units && upload_id !== undefined) return (await partsOf(tx, upload_id)).count;
  throw oneOfBoth();
}

interface SourceInput {
  readonly units?: readonly NewUnit[];
  readonly upload_id?: number;
  readonly template?: Template;
}

/** Finds the units of a task to be posted. Refuses those that do not fit its template. */
export async function sourceOf(
  tx: Tx,
  { units, upload_id, template }: SourceInput,
): Promise<Source> {
  if (units && upload_id === undefined) {
    if (template) assertUnitsFit(template, units);
    const gold = units.filter(isGold).length;
    return { count: units.length, gold, insert: (task) => insertUnits(tx.db, task, units) };
  }
  if (!units && upload_id !== undefined) return uploadSource(tx, upload_id, template);
  throw oneOfBoth();
}

const oneOfBoth = () =>
  invalid([{ pointer: '/units', message: 'or upload_id must be given, not both' }]);

const PLACE = 'n, line';
/** SQL: the place of a unit, drawn where some have known answers, and its line of them. */
const placeOf = (gold: number) =>
  gold > 0 ? 'row_number() over (order by random()), line' : 'line, null::int';

/** Records the units of a new task, in their order. */
async function insertUnits(
  db: Database,
  { id, overlap, max_overlap, gold }: NewTask,
  units: readonly NewUnit[],
): Promise<void> {
  await execute(
    db,
    `insert into labor_unit (task_id, ${PLACE}, payload, expected, wanted, free)
     select $1, ${placeOf(gold)}, payload, expected, wanted, wanted
       from (select *, case when expected is null then $2::int else $5 end as wanted
       from unnest($3::text[], $4::text[]) with ordinality as u(payload, expected, line)) u
      order by line`,
    [
      id,
      overlap,
      units.map(({ payload }) => payload),
      units.map(({ expected }) => expected ?? null),
      max_overlap,
    ],
  );
}

/** Takes the units of an upload, which is deleted then: it is used once. */
async function uploadSource(tx: Tx, uploadId: number, template?: Template): Promise<Source> {
  const { db, caller } = tx;
  const { count, gold } = await lockParts(tx, uploadId);
  if (template) await assertUploadFits(tx, uploadId, template);
  const insert = async ({ id, overlap, max_overlap }: NewTask) => {
    await execute(
      db,
      `with used as (
         delete from labor_upload where upload_id = $3 and agent_id = $4 returning after, lines)
       insert into labor_unit (task_id, ${PLACE}, payload, expected, wanted, free)
       select $1, ${placeOf(gold)}, payload, expected, wanted, wanted
         from (select used.after + each.n as line, each.unit ->> 'payload' as payload,
                      each.unit ->> 'expected' as expected,
                      case when each.unit ? 'expected' then $5::int else $2 end as wanted
                 from used
                cross join jsonb_array_elements(used.lines) with ordinality as each(unit, n)) u
        order by line`,
      [id, overlap, uploadId, caller.agentId, max_overlap],
    );
  };
  return { count, gold, insert };
}

/** Looks at the units of an upload part by part: all of them may be too many for one answer. */
async function assertUploadFits(
  { db, caller }: Tx,
  uploadId: number,
  template: Template,
): Promise<void> {
  for (let after = -1; ;) {
    const [part] = await rows(
      db,
      { after: column.int, lines: jsonOf<readonly NewUnit[]>() },
      `select after, lines from labor_upload
        where upload_id = $1 and agent_id = $2 and after > $3 order by after limit 1`,
      [uploadId, caller.agentId, after],
    );
    if (!part) return;
    assertUnitsFit(template, part.lines, part.after);
    after = part.after;
  }
}

/**
 * Locks the parts of an upload, so that nobody adds to it or uses it until the transaction ends,
 * then counts its units: a part may have come meanwhile, or all may be used.
 */
export async function lockParts(
  tx: Tx,
  uploadId: number,
): Promise<{ count: number; gold: number }> {
  await execute(
    tx.db,
    'select from labor_upload where upload_id = $1 and agent_id = $2 order by after for update',
    [uploadId, tx.caller.agentId],
  );
  return partsOf(tx, uploadId);
}

async function partsOf({ db, caller }: Tx, uploadId: number) {
  const sizes = await row(
    db,
    { count: column.int, gold: column.int },
    `select coalesce(sum(units), 0)::int as count, coalesce(sum(gold), 0)::int as gold
       from labor_upload where upload_id = $1 and agent_id = $2`,
    [uploadId, caller.agentId],
  );
  if (sizes.count === 0) throw noSuchUpload(uploadId);
  return sizes;
}

const noSuchUpload = (uploadId: number) =>
  new Refusal('not_found', `There is no upload ${uploadId} of yours. It is kept for 7 days.`);
