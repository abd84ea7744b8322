import type { SocksSettings } from '../../shared/domains/proxies/settings.ts';
import type { Egress } from '../../shared/platform/egress/egress.ts';
import type { Rechecks } from '../../shared/domains/proxies/checks/rechecks.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { Pace } from '../../shared/platform/shares/pace.ts';
import type { Turns } from '../../shared/platform/shares/turns.ts';
import type { ConnectionRegistry } from './admission/connections.ts';
import type { UnauthenticatedClients } from './admission/unauthenticated.ts';
import type { Limits } from './limits.ts';

/** The parts of one SOCKS5 server. */
export interface ServerContext {
  readonly context: Context;
  readonly settings: SocksSettings;
  readonly limits: Limits;
  readonly egress: Egress;
  readonly unauthenticated: UnauthenticatedClients;
  readonly connections: ConnectionRegistry;
  /** Pace of refusals: of an address before the login, of a tree after it. */
  readonly refusals: Pace;
  /** Turns for look-ups in the database before a client is an open connection. */
  readonly lookups: Turns;
  readonly rechecks: Rechecks;
}
