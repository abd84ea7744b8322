import type { Config } from '../../shared/kernel/config.ts';
import { openEgress } from '../../shared/platform/egress.ts';
import type { Gateways } from '../../shared/kernel/gateways.ts';
import { openMail } from './mail/mail.ts';
import { openProxies } from './proxies/proxies.ts';

/** Our side of every outside system. Only workers have them. */
export function openGateways(config: Config): Gateways {
  const egress = openEgress(config);
  const { proxies, egressAllow } = config;
  return {
    mail: openMail(config, egress),
    proxies: openProxies({ ...proxies, egressAllow }, egress),
  };
}
