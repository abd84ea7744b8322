import { column, row, type Database } from '../rows.ts';
import type { Secrets } from '../secrets.ts';
import { findKeyFaults } from './key_canaries.ts';
import { selfCheckOf, type SelfCheck } from './self_check.ts';

/** The checks that query the database. */
export async function databaseChecks(db: Database, secrets: Secrets): Promise<SelfCheck[]> {
  const { others, missing } = await findKeyFaults(db, secrets);
  return [await roleCheck(db), selfCheckOf('master_keys', [...others, ...missing], 'failed')];
}

/** Checks that the role owns no tables: triggers bind an owner too, but an owner can drop them. */
export async function roleCheck(db: Database): Promise<SelfCheck> {
  const { owns } = await row(
    db,
    { owns: column.boolean },
    `select coalesce(bool_or(pg_has_role(current_user, relowner, 'usage')), false) as owns
       from pg_class
      where relkind = 'r'
        and relnamespace in (select oid from pg_namespace where nspname in ('public', 'ledger'))`,
  );
  return selfCheckOf('database_role', owns ? [OWNS] : [], 'warning');
}

const OWNS =
  'DATABASE_URL owns tables: triggers still protect the books, privileges do not. Set ' +
  'MIGRATION_DATABASE_URL to the owner and DATABASE_URL to another role (docs/deployment.md)';
