import type { Environment } from '../../shared/platform/config/environment.ts';
import type { LaunchSettings } from './launch_settings.ts';
import type { Service } from './supervisor.ts';

/** A part that `npm start` starts once PostgreSQL and Redis run and the schema is up to date. */
export interface LaunchEntry {
  readonly name: string;
  readonly when: (settings: LaunchSettings) => boolean;
  /**
   * Variables for the environment of every process, whatever their order in the list. `launch.env`
   * has those of earlier entries: append to a list such as EGRESS_ALLOW.
   */
  readonly env?: (launch: Launch) => Promise<Environment>;
  /** Starts its parts in this process; returns further services to start and supervise. */
  readonly start: (launch: Launch) => Promise<readonly Service[]>;
  /** Called when the API answers. Returned services are started then, and supervised. */
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
