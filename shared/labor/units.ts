import { Input, invalid, Text, Type, type Static } from '../kernel/schema.ts';
import { clean } from '../kernel/text.ts';
import { execute, type Database } from '../platform/rows.ts';
import { PAYLOAD_CHARS_MAX, type Verification } from './labor_task.ts';

/** Units of one call. */
const UNITS_OF_CALL_MAX = 1_000;

const UnitInput = Input({
  payload: Text(1, PAYLOAD_CHARS_MAX, 'What the worker gets: a text, or where to find it.'),
  expected: Type.Optional(
    Text(
      1,
      PAYLOAD_CHARS_MAX,
      'The known answer: this makes it a gold unit. Workers never see it.',
    ),
  ),
});

export const Units = Type.Array(UnitInput, {
  minItems: 1,
  maxItems: UNITS_OF_CALL_MAX,
  description: `What is to be done, at most ${UNITS_OF_CALL_MAX} in a call.`,
});
export type NewUnit = Static<typeof UnitInput>;

/** The units as they are stored. Refuses those that cannot be seen, or judged. */
export function unitsOf(units: readonly NewUnit[], verification: Verification): NewUnit[] {
  const cleaned = units.map(({ payload, expected }) => ({
    payload: clean(payload),
    ...(expected !== undefined && { expected: clean(expected) }),
  }));
  const bad = cleaned.flatMap(({ payload, expected }, n) => [
    ...(payload === '' ? [`/units/${n}/payload`] : []),
    ...(expected === '' ? [`/units/${n}/expected`] : []),
  ]);
  if (bad.length > 0) {
    throw invalid(bad.map((pointer) => ({ pointer, message: 'has nothing that can be seen' })));
  }
  if (verification === 'gold' && cleaned.every(({ expected }) => expected === undefined)) {
    throw invalid([{ pointer: '/units', message: 'needs a gold unit, with its expected answer' }]);
  }
  return cleaned;
}

/** Records the units of a new task, in their order. */
export async function insertUnits(
  db: Database,
  { id, overlap }: { id: number; overlap: number },
  units: readonly NewUnit[],
): Promise<void> {
  await execute(
    db,
    `insert into labor_unit (task_id, n, payload, expected, wanted, free)
     select $1, n, payload, expected, $2, $2
       from unnest($3::text[], $4::text[]) with ordinality as u(payload, expected, n)`,
    [
      id,
      overlap,
      units.map(({ payload }) => payload),
      units.map(({ expected }) => expected ?? null),
    ],
  );
}
