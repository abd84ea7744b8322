import type { Context } from '../../kernel/context.ts';
import { throttled } from '../../platform/log.ts';

const EVERY_MS = 1_000;
/** Buyers choose the targets, so what they can have checked again is bounded. */
const AT_ONCE_MAX = 50;

/** Proxies that failed their buyers are checked next, so that they leave the market. */
export interface Rechecks {
  /** Costs nothing; beyond 50 a second they wait for their usual turn. */
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
    database
      .query(
        // Not what has just been checked, or one that passes there would be checked for ever.
        `update proxy set next_check_at = now()
          where id = any ($1) and state in ('hot', 'warm') and next_check_at > now()
            and checked_at < now() - interval '1 minute'`,
        [ids],
      )
      .catch((error: unknown) =>
        warn('proxies that failed could not be put up for a check', error),
      );
  }
  const timer = setInterval(flush, EVERY_MS);

  return {
    add(proxyId) {
      if (failed.size < AT_ONCE_MAX) failed.add(Number(proxyId));
    },
    stop() {
      clearInterval(timer);
      flush();
    },
  };
}
