import type { Environment } from '../../shared/platform/config/environment.ts';
import type { LaunchSettings } from './launch_settings.ts';
import type { Service } from './supervisor.ts';

/** What `npm start` starts once PostgreSQL and Redis run and the schema is up to date. */
export interface LaunchEntry {
  readonly name: string;
  readonly when: (settings: LaunchSettings) => boolean;
  /**
   * What it adds to the environment of every process, whatever their order in the list.
   * `launch.env` has what entries before it added: append to a list such as EGRESS_ALLOW.
   */
  readonly env?: (launch: Launch) => Promise<Environment>;
  /** Starts what lives in this process; returns what is to be started and supervised beside it. */
  readonly start: (launch: Launch) => Promise<readonly Service[]>;
  /** When the API answers. What it returns is started then, and supervised. */
  readonly onReady?: (launch: Launch) => Promise<readonly Service[] | void>;
}

export interface Launch {
  readonly settings: LaunchSettings;
  /** The environment of the processes. */
  readonly env: Environment;
  /** The folder of the built programs. */
  readonly built: string;
  /** Aborted when the launcher stops. */
  readonly stopping: AbortSignal;
}
