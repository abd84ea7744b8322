import type { SocksSettings } from '../../shared/proxies/settings.ts';
import type { Egress } from '../../shared/platform/egress/egress.ts';
import type { Rechecks } from '../../shared/proxies/checks/rechecks.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { Pace } from '../../shared/platform/shares/pace.ts';
import type { Turns } from '../../shared/platform/shares/turns.ts';
import type { ConnectionRegistry } from './admission/connections.ts';
import type { UnauthenticatedClients } from './admission/unauthenticated.ts';
import type { Limits } from './limits.ts';

/** What one SOCKS5 server is made of. */
export interface ServerContext {
  readonly context: Context;
  readonly settings: SocksSettings;
  readonly limits: Limits;
  readonly egress: Egress;
  readonly unauthenticated: UnauthenticatedClients;
  readonly connections: ConnectionRegistry;
  /** Of what is refused, to an address before the login and to a tree after it. */
  readonly refusals: Pace;
  /** To look something up in the database before a place is given. */
  readonly lookups: Turns;
  readonly rechecks: Rechecks;
}
