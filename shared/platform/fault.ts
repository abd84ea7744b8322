import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

import { isStalePlan } from './connections/prepared.ts';
import { Timeout } from './timeout.ts';

/**
 * What PostgreSQL and the driver throw, sorted by what may be done about it: by code, and by text
 * only what the driver gives no code. So a refusal, which has a code of its own, is none of these
 * whatever its message says.
 */

const codeOf = (error: unknown): string => {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: unknown };
  if (typeof code === 'string') return code;
  return driverError ? codeOf(driverError) : '';
};

/**
 * Deadlock, serialization failure, lock not available, a plan from before a migration: the same
 * transaction may pass next time.
 */
export const isConflict = (error: unknown) =>
  ['40P01', '40001', '55P03'].includes(codeOf(error)) || isStalePlan(error);

/** The connection is lost, could not be made, or does not answer. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Timeout) return true;
  const code = codeOf(error);
  if (/^(08|57P0)/.test(code)) return true;
  // What TypeORM throws when the connection was lost between two statements.
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
  '25006', // read-only: this server was the primary, and another one is now
]);

/** The server takes no writes any more. Its sessions go on, so they must be ended: see transact. */
export const isDemoted = (error: unknown) => codeOf(error) === '25006';

/** The database does not answer, or not in the time that a statement may take. */
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
