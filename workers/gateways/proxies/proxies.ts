import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { ProxyGateway } from '../../../shared/domains/proxies/gateway.ts';
import { openChecks, type CheckSettings } from './checks.ts';
import { openSources, type SourceSettings } from './sources.ts';

/** Sources of proxies, and checks through them. */
export function openProxies(
  settings: SourceSettings & CheckSettings,
  egress: Egress,
): ProxyGateway {
  return { list: openSources(settings, egress), check: openChecks(settings) };
}
