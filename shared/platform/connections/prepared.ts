import { createHash } from 'node:crypto';

/** Statements that a process prepares. A connection keeps the plans of those that it has run. */
const STATEMENTS_MAX = 500;

/** Result types of a statement have changed, as by a migration, and its plan still has the old. */
const STALE = '0A000';

/** As the driver has it. */
export interface Connection {
  query(statement: unknown, parameters?: unknown, callback?: unknown): unknown;
}

/**
 * Prepares each statement that has parameters on its connection, by a name, so that PostgreSQL
 * plans it five times there and not each time: for most operations planning costs more than all
 * else. Behind PgBouncer in transaction mode that needs its version 1.21 or a later one, with
 * `max_prepared_statements` above 0, which renames them.
 */
export function preparing(names: StatementNames): (connection: Connection) => void {
  return (connection) => {
    const query = connection.query.bind(connection);
    connection.query = (statement, parameters, callback) => {
      const name = Array.isArray(parameters) && parameters.length > 0 && names.of(statement);
      if (!name) return query(statement, parameters, callback);
      const answer = query({ name, text: statement, values: parameters }, undefined, callback);
      if (answer instanceof Promise) answer.catch((error) => names.look(statement, error));
      return answer;
    };
  };
}

/** The names of the statements that a process prepares. */
export interface StatementNames {
  /** Undefined: it is not prepared. */
  of(statement: unknown): string | undefined;
  /** After an error: a statement whose plan is stale gets another name, and so another plan. */
  look(statement: unknown, error: unknown): void;
}

/** `max`: no more are prepared, because texts that all differ would fill the server. */
export function statementNames(max = STATEMENTS_MAX): StatementNames {
  const names = new Map<unknown, string>();
  return {
    of(statement) {
      const known = names.get(statement);
      if (known !== undefined || names.size >= max || typeof statement !== 'string') return known;
      const name = createHash('sha1').update(statement).digest('hex');
      names.set(statement, name);
      return name;
    },
    look(statement, error) {
      const name = names.get(statement);
      if (name !== undefined && isStalePlan(error)) names.set(statement, `${name}'`);
    },
  };
}

/** The same transaction passes next time, by a plan of now. */
export const isStalePlan = (error: unknown): boolean =>
  error instanceof Error &&
  (error as { code?: unknown }).code === STALE &&
  error.message.includes('cached plan');
