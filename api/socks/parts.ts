import type { SocksSettings } from '../../shared/config.ts';
import type { Egress } from '../../shared/egress.ts';
import type { Rechecks } from '../../shared/proxies/rechecks.ts';
import type { World } from '../../shared/world.ts';
import type { Crowd } from './crowd.ts';
import type { Limits } from './limits.ts';

/** What serving a client takes. */
export interface Parts {
  readonly world: World;
  readonly settings: SocksSettings;
  readonly limits: Limits;
  readonly egress: Egress;
  readonly crowd: Crowd;
  readonly rechecks: Rechecks;
}
