import type { Context } from '../../kernel/context.ts';
import { throttled } from '../../platform/log.ts';
import { execute } from '../../platform/rows.ts';

const EVERY_MS = 1_000;
/** Buyers choose the targets, so the number of checks that they can cause is bounded. */
const A_SECOND_MAX = 50;

/** Proxies that failed their buyers are checked next, so that they leave the market. */
export interface Rechecks {
  /** Costs nothing. Beyond 50 a second, proxies wait for their usual check. */
  add(proxyId: string): void;
  stop(): void;
}

export function openRechecks({ database, log }: Context): Rechecks {
  const warn = throttled(log);
  const failed = new Set<number>();

  function flush(): void {
    if (failed.size === 0) return;
    const ids = [...failed];
    failed.clear();
    execute(
      database,
      // Not what has just been checked, or one that passes there would be checked for ever.
      `update proxy set next_check_at = now()
        where id = any ($1) and state in ('hot', 'warm') and next_check_at > now()
          and checked_at < now() - interval '1 minute'`,
      [ids],
    ).catch((error: unknown) =>
      warn('checks of proxies that failed could not be requested', error),
    );
  }
  const timer = setInterval(flush, EVERY_MS);

  return {
    add(proxyId) {
      if (failed.size < A_SECOND_MAX) failed.add(Number(proxyId));
    },
    stop() {
      clearInterval(timer);
      flush();
    },
  };
}
