import { scrub } from '../platform/log.ts';
import { column, execute, row, type Database } from '../platform/rows.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import type { Tx } from '../kernel/tx.ts';
import type { RefusalCode } from '../kernel/refusal.ts';

/** Whether a call is recorded: calls of operators that change something are. */
export const isLogged = (op: AnyOperation, { caller }: Pick<Tx, 'caller'>): boolean =>
  caller.operator !== undefined && op.mode !== 'read';

/**
 * Records a call of an operator in the transaction that performs it or, with the code, a refused
 * one. The table is append-only. `perform` calls this, so that no operation can forget it.
 */
export async function logOperation(
  { db, caller, address, requestId }: Tx,
  { name, effects }: AnyOperation,
  input: object,
  error?: RefusalCode,
): Promise<void> {
  const { kind, field } = effects!.actsOn!;
  const id = field === undefined ? null : (input as Record<string, string | number>)[field]!;
  await execute(
    db,
    `insert into audit_log
       (operator, operation, object_kind, object_id, input, error, address, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      caller.operator,
      name,
      kind,
      id === null ? null : String(id),
      JSON.stringify(input, (_, value: unknown) =>
        typeof value === 'string' ? scrub(value) : value,
      ),
      error ?? null,
      address ?? null,
      requestId,
    ],
  );
}

/** The id of the latest entry; 0: there is none. */
export async function lastAuditId(db: Database): Promise<number> {
  const { id } = await row(
    db,
    { id: column.id },
    'select coalesce(max(id), 0)::bigint as id from audit_log',
  );
  return id;
}
