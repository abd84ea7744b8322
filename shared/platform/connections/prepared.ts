import { createHash } from 'node:crypto';

/** Maximum statements that a process prepares. A connection keeps the plans of those it has run. */
const STATEMENTS_MAX = 500;

/** SQLSTATEs if a prepared statement is unknown, or known already: the session is another one. */
const OTHER_SESSION: readonly unknown[] = ['26000', '42P05'];

/** SQLSTATE if the result types of a statement have changed, as by a migration, since its plan. */
const STALE = '0A000';

/** A connection of the driver. */
export interface Connection {
  query(statement: unknown, parameters?: unknown, callback?: unknown): unknown;
}

/**
 * Prepares each statement with parameters on its connection, under a name, so that PostgreSQL plans
 * it five times there and not each time: for most operations planning is the largest cost. Behind
 * PgBouncer in transaction mode this needs version 1.21 or later with `max_prepared_statements`
 * above 0, which renames statements. Behind another one nothing is prepared any more after the
 * first statement that fails by it.
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
interface StatementNames {
  /** Name of a statement; undefined: not prepared. */
  of(statement: unknown): string | undefined;
  /**
   * Handles an error: a statement with a stale plan gets a new name, and so a new plan; where
   * sessions change between statements, no statement has a name any more.
   */
  look(statement: unknown, error: unknown): void;
}

/**
 * Names statements. At most `max` are prepared: texts that all differ would fill the server.
 * `onOtherSession` is called once, when preparing ends because sessions change.
 */
export function statementNames(
  max = STATEMENTS_MAX,
  onOtherSession: () => void = () => undefined,
): StatementNames {
  const names = new Map<unknown, string>();
  let isOff = false;
  return {
    of(statement) {
      if (isOff) return undefined;
      const known = names.get(statement);
      if (known !== undefined || names.size >= max || typeof statement !== 'string') return known;
      const name = createHash('sha1').update(statement).digest('hex');
      names.set(statement, name);
      return name;
    },
    look(statement, error) {
      const name = names.get(statement);
      if (name === undefined || !isStalePlan(error)) return;
      if (codeOf(error) === STALE) names.set(statement, `${name}'`);
      else if (!isOff) {
        isOff = true;
        onOtherSession();
      }
    },
  };
}

/** Whether a plan is stale, or in another session: the same transaction succeeds next time. */
export const isStalePlan = (error: unknown): boolean =>
  (codeOf(error) === STALE && (error as Error).message.includes('cached plan')) ||
  OTHER_SESSION.includes(codeOf(error));

const codeOf = (error: unknown): unknown =>
  error instanceof Error ? (error as { code?: unknown }).code : undefined;
