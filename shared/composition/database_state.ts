import { setTimeout as sleep } from 'node:timers/promises';

import { endIdleSessions } from '../platform/connections/half_open.ts';
import { isMisfit } from '../platform/fault.ts';
import { column, row } from '../platform/rows.ts';
import { databaseChecks } from '../platform/self_checks/database_checks.ts';
import type { SelfCheck } from '../platform/self_checks/self_check.ts';
import type { Context } from './context.ts';

const DATABASE_MS_MAX = 500;
/** Age in ms after which the last answer of the database no longer counts. */
const STALE_AFTER_MS = 2_000;

/** The database's answer about itself. */
interface DatabaseState {
  readonly database: 'ok' | 'read_only' | 'away';
  readonly schema: SchemaState;
  readonly checks: readonly SelfCheck[];
}

/**
 * The schema beside the migrations that this process knows. `behind`: some have not run. `newer`:
 * others have run too, as beside a release. `misfit`: a statement of this process failed for it.
 */
type SchemaState = 'current' | 'behind' | 'newer' | 'misfit' | 'unknown';

/** Whether a process can work with this schema, or with most of it. */
export const servesSchema = (schema: SchemaState): boolean =>
  schema !== 'behind' && schema !== 'unknown';

const AWAY: DatabaseState = { database: 'away', schema: 'unknown', checks: [] };

export interface DatabaseWatch {
  /** Asks, for half a second at most. */
  look(): Promise<DatabaseState>;
  /** The schema as it was seen last. */
  schema(): SchemaState;
}

/** Asks whether a write could begin, and whether it would find the schema of these migrations. */
export function watchDatabase(context: Context, migrations: readonly string[]): DatabaseWatch {
  const { reserved, secrets, schemaFit, log } = context;
  let query: Promise<DatabaseState> | undefined;
  let seen: SchemaState = 'unknown';
  /** Another one after each migration. */
  let lastRun: number | undefined;

  async function ask(): Promise<DatabaseState> {
    const askedAt = performance.now();
    try {
      const found = await row(
        reserved,
        { known: column.int, all: column.int, last_run: column.int, read_only: column.boolean },
        `select count(*) filter (where name = any ($1))::int as known, count(*)::int as all,
                coalesce(max(id), 0)::int as last_run,
                current_setting('transaction_read_only')::boolean as read_only from migrations`,
        [migrations],
      );
      if (lastRun !== undefined && lastRun !== found.last_run) schemaFit.clear();
      lastRun = found.last_run;
      const schema = schemaOf(found);
      const checks = servesSchema(schema) ? await databaseChecks(reserved, secrets) : [];
      if (performance.now() - askedAt > STALE_AFTER_MS) return AWAY;
      // The next probe then asks the server to which the name leads by then.
      if (found.read_only) endIdleSessions(reserved);
      return { database: found.read_only ? 'read_only' : 'ok', schema, checks };
    } catch (error) {
      // Nothing has been migrated yet.
      return isMisfit(error) ? { database: 'ok', schema: 'behind', checks: [] } : AWAY;
    }
  }

  function schemaOf({ known, all }: { known: number; all: number }): SchemaState {
    if (known < migrations.length) return 'behind';
    if (schemaFit.isMisfit) return 'misfit';
    return all > known ? 'newer' : 'current';
  }

  function note(state: DatabaseState): DatabaseState {
    const { schema } = state;
    if (schema !== seen && !['current', 'unknown'].includes(schema)) {
      log.warn({ schema }, 'the schema of the database is of another version than this process');
    }
    if (schema !== 'unknown') seen = schema;
    return state;
  }

  return {
    look() {
      // One query at a time: a database that hangs must not get a query for every probe.
      query ??= ask()
        .then(note)
        .finally(() => (query = undefined));
      return Promise.race([query, timeUp()]);
    },
    schema: () => (seen === 'current' && schemaFit.isMisfit ? 'misfit' : seen),
  };
}

const timeUp = () => sleep(DATABASE_MS_MAX, AWAY, { ref: false });
