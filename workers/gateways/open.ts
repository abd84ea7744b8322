import type { Config } from '../../shared/config.ts';
import { openEgress } from '../../shared/egress.ts';
import type { Gateways } from '../../shared/gateways.ts';
import { openMail } from './mail.ts';
import { openProxies } from './proxies.ts';

/** Our side of every outside system. Only workers have them. */
export function openGateways(config: Config): Gateways {
  const egress = openEgress(config);
  return { mail: openMail(config, egress), proxies: openProxies(config, egress) };
}
