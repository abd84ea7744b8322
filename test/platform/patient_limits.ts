import { WAIT_SECONDS_MAX } from '../../shared/jobs/settings.ts';
import { patience } from './pace.ts';

/**
 * The settings of limits that honest peers keep to, as long as the machine is slow. By default a
 * platform gives up a Redis after 0.8 s: one that shares its process with others needs more.
 */
export const patientLimits = ({ redisMs = 800 } = {}): Record<string, string> => ({
  DATABASE_MS: setting(20_000, 600_000),
  DATABASE_CONNECT_MS: setting(3_000, 600_000),
  STUCK_MS: setting(20_000, 600_000),
  STOP_MS: setting(9_000, 600_000),
  REQUEST_MS: setting(30_000, 600_000),
  REDIS_MS: setting(redisMs, 10_000),
  WAIT_MS: setting(10_000, WAIT_SECONDS_MAX * 1_000),
});

const setting = (ms: number, msMax: number) => String(Math.min(msMax, patience(ms)));
