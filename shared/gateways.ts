import type { MailGateway } from './email/findings.ts';

/** What is asked of the outside world, implemented in workers/gateways: one field a system. */
export interface Gateways {
  readonly mail: MailGateway;
}
