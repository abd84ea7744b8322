import { assertStorage } from '../agents/limits/storage.ts';
import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, invalid, Output, parse, Text, Type } from '../kernel/schema.ts';
import { column, rows } from '../platform/rows.ts';
import { UNITS_MAX } from './labor_task.ts';
import { isGold, lockParts, UnitInput, type NewUnit } from './units.ts';

const CHARS_MAX = 200_000;

export const uploadLaborUnits = operation({
  name: 'upload_labor_units',
  title: 'Upload units of a labor task',
  summary:
    'Uploads units of a labor task that you will post, as JSONL: a line is ' +
    '{"payload": "…"}, or with "expected" a gold unit. Send more parts with the ' +
    'upload_id that is answered, then give it to post_labor_task. Kept for 7 days. Free.',
  access: 'sell',
  mode: 'write',
  domain: 'labor',
  rest: 'POST /api/v1/labor/uploads',
  refusals: ['not_found', 'invalid_transition', 'payload_too_large'],
  input: Input({
    jsonl: Text(1, CHARS_MAX, 'Lines of JSON, each an object with a payload.'),
    upload_id: Type.Optional(Id('Of the first part. Absent: this is the first.')),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: UNITS_MAX,
        description: 'Units of the parts before, so that a repeated part is added once.',
      }),
    ),
  }),
  output: Output('LaborUpload', {
    upload_id: Id('Pass it to post_labor_task.'),
    units: Type.Integer({ description: 'Units so far: after of the next part.' }),
    gold: Type.Integer({ description: 'Of this part, those with an expected answer.' }),
  }),

  async handle(tx, { jsonl, upload_id, after = 0 }) {
    const { db, caller } = tx;
    const units = linesOf(jsonl);
    if (upload_id === undefined ? after > 0 : after === 0) {
      const message = 'is 0 without an upload_id, and more than that with one';
      throw invalid([{ pointer: '/after', message }]);
    }
    if (after + units.length > UNITS_MAX) {
      throw invalid([{ pointer: '/jsonl', message: `makes more than ${UNITS_MAX} units` }]);
    }
    if (upload_id !== undefined) {
      const { count } = await lockParts(tx, upload_id);
      if (count !== after) throw wrongPart(count);
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
    return { upload_id: added.upload_id, units: after + units.length, gold };
  },
});

const wrongPart = (units: number) =>
  new Refusal('invalid_transition', `The parts before have ${units} units: send that as after.`, {
    units,
  });

function linesOf(jsonl: string): NewUnit[] {
  const lines = jsonl.split('\n').filter((line) => line.trim() !== '');
  const units = lines.map((line, n) => {
    try {
      return parse(UnitInput, JSON.parse(line));
    } catch {
      const message = `has no unit in line ${n + 1}: {"payload": "…", "expected": "…"}`;
      throw invalid([{ pointer: '/jsonl', message }]);
    }
  });
  if (units.length === 0) throw invalid([{ pointer: '/jsonl', message: 'has no lines' }]);
  return units;
}
