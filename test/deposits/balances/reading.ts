import { eventually, type TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';

/** Runs a timer until this selects nothing. */
export const untilNone = (platform: TestPlatform, timer: string, waiting: string) =>
  eventually(
    async () => {
      await runTimer(platform, timer);
      return platform.query(waiting);
    },
    (rows) => rows.length === 0,
  );

interface ReadNetwork {
  readonly platform: TestPlatform;
  /** The newest final position. */
  end(): Promise<number>;
}

/**
 * Searches all that is final, and reads the balances of shared addresses after it. `differs`: until
 * one is found that nothing explains.
 */
export async function readTo(network: ReadNetwork, { differs = false } = {}): Promise<void> {
  const { platform } = network;
  const end = await network.end();
  await untilNone(
    platform,
    'watch_chains',
    `select where coalesce((select max(position) from chain_cursor), -1) < ${end}`,
  );
  await untilNone(
    platform,
    'watch_balances',
    `select from chain_balance_page
      where page = -1 and ${differs ? 'gaps = 0' : `coalesce(block, -1) < ${end}`}`,
  );
  // Pages that are due are read by the same job, or by the next.
  await untilNone(
    platform,
    'watch_balances',
    'select from chain_balance_page where read_at is null and page >= 0',
  );
}
