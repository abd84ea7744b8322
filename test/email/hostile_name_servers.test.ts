import { expect } from 'chai';

import { RECORDS_MAX, type FoundRecord } from '../../workers/gateways/dns/messages.ts';
import { openResolver } from '../../workers/gateways/dns/resolver.ts';
import { openMailRoutes, type MailRoute } from '../../workers/gateways/mail/routes.ts';
import { patience } from '../platform/pace.ts';
import { CHARACTERS, startHostileNameServer } from './hostile_name_servers.ts';

/** Time limits for servers that are waited for no longer, and for those that answer in the end. */
const SHORT_MS = 1_500;
const LONG_MS = patience(30_000);
const FOUND: MailRoute = { kind: 'mx', hosts: ['mx.honest.example'] };
const FAILED: MailRoute = { kind: 'dns_failure' };
const LATE: MailRoute = { kind: 'dns_time_out' };

/** Findings about a domain whose name servers behave so. */
const EXPECTED: Readonly<Record<keyof typeof CHARACTERS, MailRoute>> = {
  silent: LATE,
  slow: FOUND,
  truncated: FOUND,
  'truncated-for-ever': FAILED,
  'truncated-then-silent': LATE,
  huge: {
    kind: 'mx',
    hosts: Array.from({ length: RECORDS_MAX }, (_, n) => `${2_999 - n}.a.huge.example`),
  },
  'wrong-owner': FAILED,
  'wrong-id': LATE,
  'wrong-question': LATE,
  'guesses-without-end': FAILED,
  'alias-chain': FOUND,
  'alias-loop': FAILED,
  'alias-chain-without-end': FAILED,
  'private-address': { kind: 'no_mail_server' },
  'loopback-address': { kind: 'no_mail_server' },
  'metadata-address': { kind: 'no_mail_server' },
  'cut-off': FAILED,
  'pointer-loop': FAILED,
  'counts-what-is-not-there': FAILED,
  noise: LATE,
};

describe('the mail route of a domain with a hostile name server', function () {
  this.timeout(30_000);

  let names: Awaited<ReturnType<typeof startHostileNameServer>>;
  before(async () => {
    names = await startHostileNameServer();
  });
  after(() => names.close());

  const open = (timeoutMs: number) =>
    openMailRoutes({ dnsServers: [names.address], timeoutMs, egressAllow: [] });

  it('has an expectation for each character', () => {
    expect(Object.keys(EXPECTED)).to.have.members(Object.keys(CHARACTERS));
  });

  for (const [character, route] of Object.entries(EXPECTED)) {
    it(`that is ${character} is ${route.kind}`, async () => {
      const routeOf = open(route === LATE ? SHORT_MS : LONG_MS);
      expect(await routeOf(`a.${character}.example`, 1)).to.deep.equal(route);
    });
  }

  it('that gives a private address is public where the operator allows that address', async () => {
    const routeOf = openMailRoutes({
      dnsServers: [names.address],
      timeoutMs: LONG_MS,
      egressAllow: [{ host: '10.0.0.1', port: 25 }],
    });
    expect((await routeOf('a.private-address.example', 1)).kind).to.equal('mx');
    expect((await routeOf('a.loopback-address.example', 1)).kind).to.equal('no_mail_server');
  });

  it('keeps of many records those that are preferred, in their order', async () => {
    const found = await openResolver([names.address], LONG_MS)('MX', 'a.huge.example');
    expect(found).to.have.length(RECORDS_MAX);
    const kept = found as readonly FoundRecord[];
    expect(kept.map(({ preference }) => preference)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
