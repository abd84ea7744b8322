import type { SocksSettings } from '../../shared/proxies/settings.ts';
import type { Egress } from '../../shared/platform/egress/egress.ts';
import type { Rechecks } from '../../shared/proxies/checks/rechecks.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { ConnectionRegistry } from './connections.ts';
import type { Limits } from './limits.ts';

/** What one SOCKS5 server is made of. */
export interface ServerContext {
  readonly context: Context;
  readonly settings: SocksSettings;
  readonly limits: Limits;
  readonly egress: Egress;
  readonly connections: ConnectionRegistry;
  readonly rechecks: Rechecks;
}
