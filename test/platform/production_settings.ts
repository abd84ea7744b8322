import { newPassword } from '../../local/stored_values.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';

/** Settings with which a process starts in production. */
export const GOOD = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://market.example.org',
  DATABASE_URL: `postgres://market_app:${newPassword()}@10.0.0.5/market`,
  REDIS_URL: 'redis://10.0.0.6',
  OPERATOR_TOKEN: newPassword(),
  MASTER_KEYS: newMasterKey('k1'),
};

type Changes = Readonly<Record<string, string | undefined>>;

/** The faults that the start names, without their first line. */
export function faultsOf(changes: Changes): string[] {
  try {
    readConfig({ ...GOOD, ...changes });
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
}
