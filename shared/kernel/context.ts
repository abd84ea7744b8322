import type { DataSource } from 'typeorm';

import type { KnownKeys } from '../agents/known_keys.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Gateways } from './gateways.ts';
import type { Log } from '../platform/log.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Rooms } from '../platform/limiter.ts';
import type { Secrets } from '../platform/secrets.ts';

/** Everything a process is made of. Built once in its main.ts (or by a test), passed by hand. */
export interface World {
  readonly config: Config;
  readonly database: DataSource;
  readonly queue: JobQueue;
  readonly keys: KnownKeys;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly rooms: Rooms;
  readonly log: Log;
  /** Only workers have them: the API never touches the outside. */
  readonly gateways?: Gateways;
}
