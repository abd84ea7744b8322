import type { QueryRunner } from 'typeorm';

import type { SqlFunction } from './files.ts';

/**
 * Makes the functions of the database what the files say: each is replaced, and one that no file
 * makes any more is dropped. One whose arguments or result changed is dropped and made again, which
 * PostgreSQL refuses while a constraint, a trigger or a view needs it: then a migration has to
 * change those first.
 */
export async function applyFunctions(
  runner: QueryRunner,
  functions: readonly SqlFunction[],
): Promise<void> {
  const before: Present[] = await runner.query(PRESENT);
  for (const { schema, name, sql } of functions) {
    await runner.query('savepoint before_function');
    try {
      await runner.query(sql);
    } catch (error) {
      if ((error as { code?: string }).code !== CANNOT_REPLACE) throw error;
      await runner.query('rollback to savepoint before_function');
      const olds = before.filter((old) => old.schema === schema && old.name === name);
      for (const { signature } of olds) await runner.query(`drop routine ${signature}`);
      await runner.query(sql);
    }
    await runner.query('release savepoint before_function');
  }
  // Also what has the name of a file and other arguments.
  const after: Present[] = await runner.query(PRESENT);
  const unchanged = after.filter(({ id, version }) =>
    before.some((old) => old.id === id && old.version === version),
  );
  for (const { signature } of unchanged) await runner.query(`drop routine ${signature}`);
}

interface Present {
  readonly id: string;
  /** Another one after each replacement. */
  readonly version: string;
  readonly schema: string;
  readonly name: string;
  readonly signature: string;
}

/** Invalid function definition: here, the result or the name of an argument is another one. */
const CANNOT_REPLACE = '42P13';

/** The functions of this owner that no extension brought. */
const PRESENT = `
  select p.oid::text as id, p.ctid::text as version, n.nspname as schema, p.proname as name,
         p.oid::regprocedure::text as signature
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where n.nspname in ('public', 'ledger', 'search') and pg_get_userbyid(p.proowner) = current_user
     and not exists (select from pg_depend d
                      where d.classid = 'pg_proc'::regclass and d.objid = p.oid
                        and d.deptype = 'e')`;
