import type { EntityManager } from 'typeorm';

import { operation, type Operation } from '../../kernel/operation.ts';
import { Input, Output, Type, type TObject, type TSchema } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, rows } from '../../platform/rows.ts';
import { isAttemptDue, sweep } from './sweep.ts';

const NO_INPUT = Input({});

type Definition<O extends TSchema, P, F> = Omit<
  Operation<typeof NO_INPUT, O, P, F>,
  'access' | 'mode' | 'input' | 'rest'
> & { readonly everyMs: number };

/** An internal job that the dispatcher starts every `everyMs`, on the queue of timers. */
export const timer = <O extends TSchema, P = undefined, F = undefined>(
  definition: Definition<O, P, F>,
): Operation<typeof NO_INPUT, O, P, F> =>
  operation({
    access: 'operator',
    mode: 'job',
    queue: 'timers',
    input: NO_INPUT,
    ...definition,
  });

/** Starts a timer again at once, for rows beyond the batch of one transaction. */
export async function runAgain(tx: Tx, name: string): Promise<void> {
  await tx.enqueue({ name, queue: 'timers', input: NO_INPUT }, {}, { cause: 'rest' });
}

interface SweepDefinition<T> {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly everyMs: number;
  /** Name of the number of processed rows in the answer, and its description. */
  readonly done: readonly [name: string, description: string];
  /** Maximum rows of one transaction. */
  readonly rowsMax: number;
  readonly due: DueRows;
  /** Locks the rows, in the order in which `work` takes further locks. May leave some out. */
  lock(db: EntityManager, ids: readonly number[]): Promise<readonly T[]>;
  /** Processes some rows. May run more than once: a failed run is rolled back. */
  work(tx: Tx, items: readonly T[]): Promise<void>;
}

/** The rows whose time has come, in SQL. */
interface DueRows {
  readonly table: string;
  /** Column of the id; `id` if absent. */
  readonly id?: string;
  readonly where: string;
  /** An indexed column: the longest due come first. */
  readonly order: string;
}

/** A timer that is a sweep of due rows (jobs/timers/sweep.ts). */
export const sweepTimer = <T extends { readonly id: number }>(
  definition: SweepDefinition<T>,
): Operation<typeof NO_INPUT, TObject> => {
  const { name, title, summary, everyMs, rowsMax } = definition;
  const [doneName, doneDescription] = definition.done;
  const findDue = dueIds(definition);
  return timer({
    name,
    title,
    summary,
    everyMs,
    output: Output({
      [doneName]: Type.Integer({ description: doneDescription }),
      failed: Type.Integer({ description: 'Number that failed; see list_faults.' }),
    }),

    async handle(tx) {
      const found = await findDue(tx.db);
      const locked = await definition.lock(tx.db, found);
      // Somebody may have acted while this transaction waited for the locks.
      const due = new Set(await findDue(tx.db));
      const { done, failed } = await sweep(tx, {
        operation: name,
        items: locked.filter(({ id }) => due.has(id)),
        work: (items) => definition.work(tx, items),
      });
      if (found.length === rowsMax) await runAgain(tx, name);
      return { [doneName]: done, failed };
    },
  });
};

function dueIds({ name, due, rowsMax }: Pick<SweepDefinition<never>, 'name' | 'due' | 'rowsMax'>) {
  const { table, id = 'id', where, order } = due;
  return async (db: EntityManager): Promise<number[]> => {
    const found = await rows(
      db,
      { id: column.id },
      `select ${id} as id from ${table}
        where ${where} and ${isAttemptDue(name, `${table}.${id}`)} order by ${order} limit $1`,
      [rowsMax],
    );
    return found.map((row) => row.id);
  };
}
