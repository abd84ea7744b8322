import type { Tx } from '../../kernel/tx.ts';

const DAY_MS = 86_400_000;

/** The time from which calls are shown: `since`, or the first that is kept if that is later. */
export function keptSince({ config, now }: Pick<Tx, 'config' | 'now'>, since?: Date): Date {
  const { days } = config.requests;
  const first = new Date(now.getTime() - (days ?? 0) * DAY_MS);
  return since && since > first ? since : first;
}
