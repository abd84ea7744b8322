import { assertStorage } from '../agents/limits/storage.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Output, parse, Text, Type } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';
import { readJsonText, withoutMark } from '../../kernel/reading/json_text.ts';
import { refuseUnstorable } from '../../kernel/storable.ts';
import { UNITS_MAX } from './labor_task.ts';
import { isGold, lockParts, UnitInput, type NewUnit } from './units.ts';

const CHARS_MAX = 200_000;

export const uploadLaborUnits = operation({
  name: 'upload_labor_units',
  title: 'Upload units of a labor task',
  summary:
    'Uploads units of a labor task that you will post, as JSONL: a line is ' +
    '{"payload": "…"}; "expected" makes it a gold unit. Send more parts with the ' +
    'upload_id returned, then pass it to post_labor_task. Kept for 7 days. Free.',
  phrasings: `
    add more items to be labeled; upload pictures or texts as units; units in several parts for
    a labeling job; send the images to be annotated; load items in chunks for a HIT batch;
    upload many rows for labeling; add gold questions; upload items for labeling; add units to a
    labeling job; provide images to tag; send data to be annotated; append items to a microtask;
    upload a batch of texts to classify; here are the pictures to tag; feed texts to my
    labelers; load the data to be labeled; put the items in before it starts`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/labor/uploads',
  refusals: ['not_found', 'invalid_transition', 'payload_too_large'],
  input: Input({
    jsonl: Text(1, CHARS_MAX, 'Lines of JSON, each an object with a payload.'),
    upload_id: Type.Optional(Id('The upload, from its first part. Absent for that.')),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: UNITS_MAX,
        description: 'Units of the earlier parts, so that a repeated part is added once.',
      }),
    ),
  }),
  output: Output('LaborUpload', {
    upload_id: Id('Pass it to post_labor_task.'),
    units: Type.Integer({ description: 'Units so far: send it as after with the next part.' }),
    gold: Type.Integer({ description: 'Those of them with an expected answer.' }),
  }),

  async handle(tx, { jsonl, upload_id, after = 0 }) {
    const { db, caller } = tx;
    const units = linesOf(jsonl);
    if (upload_id === undefined && after > 0) {
      throw invalid([{ pointer: '/after', message: 'must be 0 without upload_id' }]);
    }
    if (after + units.length > UNITS_MAX) {
      throw invalid([{ pointer: '/jsonl', message: `makes more than ${UNITS_MAX} units` }]);
    }
    let earlier = 0;
    if (upload_id !== undefined) {
      const parts = await lockParts(tx, upload_id);
      if (parts.count !== after) throw wrongPart(parts.count);
      earlier = parts.gold;
    }
    await assertStorage(tx, Buffer.byteLength(jsonl));
    const gold = units.filter(isGold).length;
    const [added] = await rows(
      db,
      { upload_id: column.id },
      `insert into labor_upload (upload_id, agent_id, root_id, after, units, gold, lines)
       values (coalesce($1, currval(pg_get_serial_sequence('labor_upload', 'id'))), $2, $3, $4,
               $5, $6, $7)
       on conflict (upload_id, after) do nothing returning upload_id`,
      [
        upload_id ?? null,
        caller.agentId,
        caller.rootId,
        after,
        units.length,
        gold,
        JSON.stringify(units),
      ],
    );
    if (!added) throw wrongPart(after);
    return { upload_id: added.upload_id, units: after + units.length, gold: earlier + gold };
  },
});

const wrongPart = (units: number) =>
  new Refusal(
    'invalid_transition',
    `The earlier parts have ${units} units: send ${units} as after.`,
    { units },
  );

function linesOf(jsonl: string): NewUnit[] {
  const lines = withoutMark(jsonl).split('\n');
  const units = lines.flatMap((line, n) => (line.trim() === '' ? [] : [unitOf(line, n + 1)]));
  if (units.length === 0)
    throw invalid([{ pointer: '/jsonl', message: 'must have at least one line' }]);
  return units;
}

/** The unit of a line. A refusal names the line as an editor counts it, and the reason. */
function unitOf(line: string, number: number): NewUnit {
  // Not JSON.parse, which keeps the last of two payloads without a word.
  const read = readJsonText(line);
  if ('fault' in read) throw wrongLine(number, read.fault);
  try {
    refuseUnstorable(read.value);
    return parse(UnitInput, read.value);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw wrongLine(number, `is refused: ${error.message}`);
  }
}

const wrongLine = (number: number, reason: string) =>
  invalid([
    {
      pointer: '/jsonl',
      message:
        `must have a unit in each line, as {"payload": "…", "expected": "…"}. ` +
        `Line ${number} ${reason.replace(/\.$/, '')}`,
    },
  ]);
