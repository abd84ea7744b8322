import type { Config } from '../../../shared/composition/config.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import type { MailGateway } from '../../../shared/email/findings.ts';
import { findInLists, isFreeMail } from './lists.ts';
import { openMailProbe } from './probe.ts';
import { openMailRoutes } from './routes.ts';

/** Our side of the mail system: lists, DNS and, where it is switched on, mail servers. */
export function openMail(config: Config, egress: Egress): MailGateway {
  const port = config.email.smtpProbe?.port ?? 25;
  const routeOf = openMailRoutes({ ...config, port, isKnown: isFreeMail });
  const probe = config.email.smtpProbe && openMailProbe(config.email.smtpProbe, egress);

  return {
    async examine(address, tree) {
      const route = await routeOf(address.domain, tree);
      const lists = findInLists(address);
      if (route.kind !== 'mx' && route.kind !== 'no_mx') {
        return { ...lists, finding: route.kind, mxFound: false };
      }
      const hosts = route.kind === 'mx' ? route.hosts : [address.domain];
      const probed = probe ? await probe(address, hosts) : undefined;
      const mxFound = route.kind === 'mx' && probed !== 'no_mail_server';
      const byDns = route.kind === 'mx' ? 'domain_accepts_mail' : 'no_mx';
      return { ...lists, finding: probed ?? byDns, mxFound };
    },
  };
}
