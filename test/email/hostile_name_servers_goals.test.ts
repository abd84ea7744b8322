// test:goals: it measures how long a look-up takes that a name server holds up.
import { openMailRoutes } from '../../workers/gateways/mail/routes.ts';
import { expectGoal } from '../faults/stalls.ts';
import { CHARACTERS, startHostileNameServer } from './hostile_name_servers.ts';

const TIMEOUT_MS = 3_000;

describe('the mail route of a domain with a hostile name server', function () {
  this.timeout(30_000);

  let names: Awaited<ReturnType<typeof startHostileNameServer>>;
  before(async () => (names = await startHostileNameServer()));
  after(() => names.close());

  for (const character of Object.keys(CHARACTERS)) {
    it(`that is ${character} is known, or not, in time`, async () => {
      const options = { dnsServers: [names.address], timeoutMs: TIMEOUT_MS, egressAllow: [] };
      const from = performance.now();
      await openMailRoutes(options)(`a.${character}.example`, 1);
      expectGoal(character, performance.now() - from, 2 * TIMEOUT_MS + 2_000);
    });
  }
});
