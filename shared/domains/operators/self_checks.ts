import { OneOf, Output, Type, type Static } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { databaseChecks } from '../../platform/self_checks/database_checks.ts';
import { SELF_CHECK_NAMES } from '../../platform/self_checks/self_check.ts';

/** The self-checks of the process that answers, with their messages. */
export const SelfChecks = Type.Array(
  Output({
    name: OneOf(SELF_CHECK_NAMES, 'A check of this process.'),
    status: OneOf(
      ['ok', 'warning', 'failed'],
      'failed: a process cannot start, or this one gets no calls.',
    ),
    message: Type.String({ description: 'Findings, and what to do about them.' }),
  }),
  { maxItems: SELF_CHECK_NAMES.length, description: 'All checks.' },
);

export const selfChecksOf = async ({
  config,
  db,
  secrets,
}: Pick<Tx, 'config' | 'db' | 'secrets'>): Promise<Static<typeof SelfChecks>> => [
  ...config.selfChecks,
  ...(await databaseChecks(db, secrets)),
];
