import type { Context } from '../../../composition/context.ts';
import { throttled } from '../../../platform/log.ts';
import { execute } from '../../../platform/rows.ts';

const EVERY_MS = 1_000;
/** Maximum checks a second that buyers can cause: they choose the targets that fail. */
const A_SECOND_MAX = 50;

/** Requests early checks of proxies that failed their buyers, so that bad ones leave the market. */
export interface Rechecks {
  /** Adds a proxy in memory. Beyond 50 a second, proxies wait for their usual check. */
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
      // Not proxies just checked, or one that passes and fails its buyers is checked for ever.
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
