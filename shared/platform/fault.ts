import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

import { Timeout } from './timeout.ts';

/**
 * What PostgreSQL and the driver throw, sorted by what may be done about it. By code, never by
 * text.
 */

const codeOf = (error: unknown): string => {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: unknown };
  if (typeof code === 'string') return code;
  return driverError ? codeOf(driverError) : '';
};

/** Deadlock, serialization failure, lock not available: the same transaction may pass next time. */
export const isConflict = (error: unknown) => ['40P01', '40001', '55P03'].includes(codeOf(error));

/** The connection is gone or could not be had, or nothing comes over it. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof Timeout) return true;
  const code = codeOf(error);
  if (/^(08|57P0)/.test(code)) return true;
  // What TypeORM says when the connection went away between two statements.
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '25P03', '53300'].includes(code)) {
    return true;
  }
  // pg gives these no code.
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(
      error.message,
    )
  );
}

/** The database does not say what was asked, or not in the time that a statement may take. */
export const isUnanswered = (error: unknown) =>
  isConnectionLost(error) || codeOf(error) === '57014';

/** The unique index that a statement ran into, by name. */
export function violated(error: unknown): string | undefined {
  const { constraint, driverError } = (error ?? {}) as {
    constraint?: string;
    driverError?: unknown;
  };
  return constraint ?? (driverError ? violated(driverError) : undefined);
}
