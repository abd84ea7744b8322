import type { Tx } from '../../kernel/tx.ts';

/**
 * SQL: what the ended job "j" of a call "r" took, in micro-dollars; t names the fields of answers
 * that say it. Null: it has not ended, or its answer does not say.
 */
export const TAKEN_BY_JOB = `
  case when j.http_status = 200 then round((j.answer ->> t.field)::numeric * 1000000)::bigint
       when j.status <> 'pending' then 0 end`;

/** The operations that take money, and for each the field of its answer that says how much. */
export function takingFields({ operations }: Pick<Tx, 'operations'>) {
  const taking = [...operations].flatMap(([name, { effects }]) =>
    effects?.takes === undefined ? [] : [{ name, field: effects.takes }],
  );
  return [taking.map(({ name }) => name), taking.map(({ field }) => field)] as const;
}
