import type { SocksSettings } from '../../shared/proxies/settings.ts';
import type { Egress } from '../../shared/platform/egress.ts';
import type { Rechecks } from '../../shared/proxies/checks/rechecks.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { Crowd } from './connections.ts';
import type { Limits } from './limits.ts';

/** What serving a client takes. */
export interface Parts {
  readonly context: Context;
  readonly settings: SocksSettings;
  readonly limits: Limits;
  readonly egress: Egress;
  readonly crowd: Crowd;
  readonly rechecks: Rechecks;
}
