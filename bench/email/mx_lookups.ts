import { Resolver } from 'node:dns/promises';

import { readConfig } from '../../shared/composition/config.ts';
import { serveLoops } from '../measure/loops.ts';

// The DNS queries that validations of email addresses need at least.
const resolver = new Resolver();
resolver.setServers(readConfig().dnsServers);
let domains = 0;

serveLoops(async () => {
  await resolver.resolveMx(`n${(domains += 1)}.example`);
  return 1;
});
