import type { DataSource } from 'typeorm';

import type { Caller } from '../../../kernel/caller.ts';
import type { RefusalCode } from '../../../kernel/refusal.ts';
import { throttled, type Log } from '../../../platform/log.ts';
import { execute } from '../../../platform/rows.ts';
import { COUNTED_REFUSALS } from './rules.ts';

const WRITE_AFTER_MS = 2_000;
/** Maximum pairs of agent and code in memory; more are not counted until these are written. */
const COUNTS_MAX = 10_000;

/**
 * Counts the refused spends of each agent. A refused call is rolled back, so the counts are kept in
 * memory and written on their own, every two seconds if there are any. A process that ends without
 * a close loses the counts of two seconds.
 */
export interface RefusalCounts {
  note(caller: Caller, code: RefusalCode): void;
  /** Writes the counts noted so far. */
  write(): Promise<void>;
  close(): Promise<void>;
}

interface Count {
  readonly agentId: number;
  readonly rootId: number;
  readonly code: RefusalCode;
  count: number;
}

export function openRefusalCounts(database: Pick<DataSource, 'query'>, log: Log): RefusalCounts {
  const warn = throttled(log);
  let counts = new Map<string, Count>();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const all = [...counts.values()];
    counts = new Map();
    await execute(
      database,
      `insert into refusal (agent_id, root_id, code, count)
       select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::int[])`,
      [
        all.map(({ agentId }) => agentId),
        all.map(({ rootId }) => rootId),
        all.map(({ code }) => code),
        all.map(({ count }) => count),
      ],
    );
  }
  const writeOrWarn = () =>
    write().catch((error: unknown) => warn('refusals were not counted', error));

  return {
    note({ agentId, rootId }, code) {
      if (agentId === 0 || !(COUNTED_REFUSALS as readonly string[]).includes(code)) return;
      const key = `${agentId} ${code}`;
      const known = counts.get(key);
      if (known) known.count += 1;
      else if (counts.size < COUNTS_MAX) counts.set(key, { agentId, rootId, code, count: 1 });
      timer ??= setTimeout(() => void writeOrWarn(), WRITE_AFTER_MS);
    },
    write,
    close: writeOrWarn,
  };
}
