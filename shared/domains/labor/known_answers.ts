import type { BadField } from '../../kernel/oversize.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, rows } from '../../platform/rows.ts';
import type { FailingResult, VerificationGateway } from '../verification/verification_gateway.ts';
import type { NewUnit } from './units.ts';

/** Maximum known answers of an upload that are compared with a schema. */
const CHECKED_MAX = 1_000;

/** The different known answers of units, in their order; of an upload the first ones. */
export async function knownAnswersOf(
  { db, caller }: Pick<Tx, 'db' | 'caller'>,
  { units, upload_id }: { units?: readonly NewUnit[]; upload_id?: number },
): Promise<readonly string[]> {
  const sent = (units ?? []).flatMap(({ expected }) => expected ?? []);
  if (upload_id === undefined) return [...new Set(sent)];
  const found = await rows(
    db,
    { expected: column.text },
    `select each.unit ->> 'expected' as expected
       from labor_upload u
      cross join jsonb_array_elements(u.lines) with ordinality as each(unit, n)
      where u.upload_id = $1 and u.agent_id = $2 and u.gold > 0 and each.unit ? 'expected'
      order by u.after, each.n limit ${CHECKED_MAX}`,
    [upload_id, caller.agentId],
  );
  return [...new Set(found.map(({ expected }) => expected))];
}

/** The faults of a schema, one of which is that no delivery could be a known answer. */
export async function schemaFaults(
  verification: VerificationGateway,
  { json_schema, answers, tree }: { json_schema: object; answers: readonly string[]; tree: number },
): Promise<readonly BadField[]> {
  const faults = await verification.faultsOf({ json_schema }, { tree });
  if (faults.length > 0) return faults;
  const failing = await verification.findFailing({ json_schema }, answers, { tree });
  return failing ? [refusedAnswer(failing)] : [];
}

function refusedAnswer({ result, failures: [first] }: FailingResult): BadField {
  const { pointer, message } = first!;
  const answer = JSON.stringify(result.length > 60 ? `${result.slice(0, 60)}…` : result);
  const place = pointer === '' ? '' : ` at ${pointer}`;
  return {
    pointer: '/json_schema',
    message: `must accept each known answer: expected ${answer}${place} ${message}`,
  };
}
