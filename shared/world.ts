import type { DataSource } from 'typeorm';

import type { KnownKeys } from './agents/known_keys.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Gateways } from './gateways.ts';
import type { Log } from './log.ts';
import type { JobQueue } from './queue.ts';
import type { Rooms } from './room.ts';
import type { Secrets } from './secrets.ts';

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
