import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

import { isStalePlan } from './connections/prepared.ts';
import { Timeout } from './timeout.ts';

/**
 * Errors of PostgreSQL and the driver, classified by the possible reaction. They are recognised by
 * code, and by text only if the driver gives no code. So a refusal, which has its own codes, is
 * never one of these, whatever its message.
 */

const codeOf = (error: unknown): string => {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: unknown };
  if (typeof code === 'string') return code;
  return driverError ? codeOf(driverError) : '';
};

/**
 * Deadlock, serialization failure, lock not available, a plan from before a migration: the same
 * transaction may succeed next time.
 */
export const isConflict = (error: unknown) =>
  ['40P01', '40001', '55P03'].includes(codeOf(error)) || isStalePlan(error);

/** A row has a value that another row has, of which this unique index allows one. */
export const isDuplicate = (error: unknown, index: string): boolean => {
  const { constraint, driverError } = (error ?? {}) as {
    constraint?: string;
    driverError?: unknown;
  };
  if (driverError) return isDuplicate(driverError, index);
  return codeOf(error) === '23505' && constraint === index;
};

/** The values are refused, so the same statement is refused again (classes 22 and 23). */
export const isRefusedData = (error: unknown) => /^2[23]/.test(codeOf(error));

/** The connection is lost, could not be made, or does not answer. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Timeout) return true;
  const code = codeOf(error);
  if (/^(08|57P0)/.test(code)) return true;
  // TypeORM throws this when the connection was lost between two statements.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  if (LOST.has(code)) return true;
  return (
    code === '' &&
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(
      error.message,
    )
  );
}

const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  '25P03',
  '53300',
  '25006', // read-only: this server is a former primary
]);

/**
 * A statement and the schema do not fit: they are of different versions, as beside a release. Not
 * every error of class 42 is one: a privilege or the syntax is wrong in every version.
 */
export const isMisfit = (error: unknown) => MISFITS.has(codeOf(error));

const MISFITS = new Set([
  '42P01', // undefined table
  '42703', // undefined column
  '42883', // undefined function: the name, or the types of its arguments
  '42704', // undefined type or other object
  '3F000', // undefined schema
  '42804', // another data type
  '42846', // no cast to it
  '42809', // another sort of object
  '42702', // ambiguous column: another table has it too since then
  '42725', // ambiguous function
  '42P10', // no unique index for an `on conflict`
]);

/** The server is no longer the primary. Its sessions go on, so they must be ended: see transact. */
export const isDemoted = (error: unknown) => codeOf(error) === '25006';

/** The database does not answer, or not within the statement timeout. */
export const isUnanswered = (error: unknown) =>
  isConnectionLost(error) || codeOf(error) === '57014';

/** The name of the constraint that a statement violated. */
export function violated(error: unknown): string | undefined {
  const { constraint, driverError } = (error ?? {}) as {
    constraint?: string;
    driverError?: unknown;
  };
  return constraint ?? (driverError ? violated(driverError) : undefined);
}
