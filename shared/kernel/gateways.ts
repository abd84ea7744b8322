import type { MailGateway } from '../email/findings.ts';
import type { ProxyGateway } from '../proxies/gateway.ts';

/** What is asked of the outside world, implemented in workers/gateways: one field a system. */
export interface Gateways {
  readonly mail: MailGateway;
  readonly proxies: ProxyGateway;
}
