import { expect } from 'chai';
import type { Answer } from 'dns-packet';

import {
  openMailRoutes,
  type FindMailRoute,
  type Options,
} from '../../workers/gateways/mail/routes.ts';
import { startNameServer, type NameServer } from '../name_server.ts';
import { patience } from '../platform/pace.ts';
import { PUBLIC, startZone, type Name } from './zone.ts';

/** Asks for the same tree of agents each time. */
const forOneTree = (find: FindMailRoute) => (domain: string) => find(domain, 1);

describe('the mail route', () => {
  const zone: Record<string, Name> = {
    'two.example': { MX: ['mx1.two.example', 'mx2.two.example'], A: [PUBLIC] },
    'address.example': { A: [PUBLIC] },
    'six.example': { AAAA: ['2001:500:2::c'] },
    'null.example': { MX: ['.'], A: [PUBLIC] },
    'both.example': { MX: ['.', 'mx.both.example'] },
    'nothing.example': {},
    'odd.example': { MX: ['localhost', '127.0.0.1'] },
    'half.example': { MX: ['localhost', 'mx.half.example'] },
    'xn--mnchen-3ya.example': { MX: ['mx.xn--mnchen-3ya.example'] },
    'cloud.example': { MX: ['_dc-mx.0a1b.cloud.example'] },
    '_dc-mx.0a1b.cloud.example': { A: [PUBLIC] },
    'mixed.example': { A: ['10.0.0.1', PUBLIC], AAAA: ['fd00::1'] },
    'closed.example': { A: ['10.0.0.1'], AAAA: ['64:ff9b::a00:1'] },
    'translated.example': { AAAA: ['64:ff9b::808:808'] },
    'broken.example': 'SERVFAIL',
    'refused.example': 'REFUSED',
    'silent.example': 'no answer',
  };
  let names: NameServer;
  before(async () => {
    names = await startZone(zone);
  });
  after(() => names.close());

  const open = (options: Partial<Options> = {}) =>
    forOneTree(
      openMailRoutes({
        dnsServers: [names.address],
        egressAllow: [],
        timeoutMs: patience(9_000),
        ...options,
      }),
    );
  const asked = (name: string) => names.asked.filter((question) => question.endsWith(` ${name}`));

  for (const [domain, route] of [
    ['two.example', { kind: 'mx', hosts: ['mx1.two.example', 'mx2.two.example'] }],
    ['xn--mnchen-3ya.example', { kind: 'mx', hosts: ['mx.xn--mnchen-3ya.example'] }],
    ['half.example', { kind: 'mx', hosts: ['mx.half.example'] }],
    ['both.example', { kind: 'mx', hosts: ['mx.both.example'] }],
    ['address.example', { kind: 'no_mx' }],
    ['six.example', { kind: 'no_mx' }],
    ['cloud.example', { kind: 'mx', hosts: ['_dc-mx.0a1b.cloud.example'] }],
    ['mixed.example', { kind: 'no_mx' }],
    ['closed.example', { kind: 'no_mail_server' }],
    ['translated.example', { kind: 'no_mx' }],
    ['null.example', { kind: 'null_mx' }],
    ['nothing.example', { kind: 'no_mail_server' }],
    ['odd.example', { kind: 'no_mail_server' }],
    ['nobody.example', { kind: 'no_such_domain' }],
    ['broken.example', { kind: 'dns_failure' }],
    ['refused.example', { kind: 'dns_failure' }],
    ['silent.example', { kind: 'dns_time_out' }],
  ] as const) {
    it(`of ${domain} is ${JSON.stringify(route)}`, async () => {
      const options = domain === 'silent.example' ? { timeoutMs: 500 } : {};
      expect(await open(options)(domain)).to.deep.equal(route);
    });
  }

  it('is an address only where no look-up failed', async () => {
    // It tells the truth otherwise, or nothing that it says would be believed.
    const halting = await startNameServer((type, name) => {
      if (type === 'NS') return [{ type, name, data: 'a.gtld-servers.net', ttl: 60 }];
      return type === 'AAAA' ? 'SERVFAIL' : name.endsWith('.invalid') ? 'NXDOMAIN' : [];
    });
    const routeOf = open({ dnsServers: [halting.address] });
    expect(await routeOf('half.example')).to.deep.equal({ kind: 'dns_failure' });
    await halting.close();
  });

  it('is not known where the look-up of mail servers failed, whatever else it has', async () => {
    const halting = await startNameServer((type, name) => {
      if (type === 'NS') return [{ type, name, data: 'a.gtld-servers.net', ttl: 60 }];
      if (type === 'MX') return 'SERVFAIL';
      if (name.endsWith('.invalid')) return 'NXDOMAIN';
      return type === 'A' ? [{ type, name, data: PUBLIC, ttl: 60 }] : [];
    });
    const routeOf = open({ dnsServers: [halting.address] });
    expect(await routeOf('half.example')).to.deep.equal({ kind: 'dns_failure' });
    await halting.close();
  });

  it('is looked up once for a hundred callers', async () => {
    zone['busy.example'] = { MX: ['mx.busy.example'] };
    const routeOf = open();
    const routes = await Promise.all(Array.from({ length: 100 }, () => routeOf('busy.example')));
    expect(new Set(routes).size).to.equal(1);
    expect(asked('busy.example')).to.deep.equal(['MX busy.example']);
    await routeOf('busy.example');
    expect(asked('busy.example')).to.have.length(1);
  });

  it('is looked up again when its cache entry has expired, a missing one sooner', async () => {
    zone['old.example'] = { MX: ['mx.old.example'] };
    const routeOf = open({ cacheMs: { found: 60_000, missing: 0 } });
    for (const domain of ['old.example', 'gone.example']) {
      await routeOf(domain);
      await routeOf(domain);
    }
    expect(asked('old.example')).to.have.length(1);
    expect(asked('gone.example')).to.have.length(2);
    const forgetful = open({ cacheMs: { found: 0, missing: 0 } });
    await forgetful('old.example');
    await forgetful('old.example');
    expect(asked('old.example')).to.have.length(3);
  });

  it('is looked up again after a failure', async () => {
    zone['flaky.example'] = 'SERVFAIL';
    const routeOf = open();
    expect(await routeOf('flaky.example')).to.deep.equal({ kind: 'dns_failure' });
    zone['flaky.example'] = { MX: ['mx.flaky.example'] };
    expect((await routeOf('flaky.example')).kind).to.equal('mx');
  });

  it('is cached for a bounded number of domains', async () => {
    const routeOf = open({ domainsMax: 2 });
    for (const n of [1, 2, 3, 3, 2, 1]) await routeOf(`n${n}.example`);
    expect(asked('n1.example')).to.have.length(2);
    expect(asked('n2.example')).to.have.length(1);
    expect(asked('n3.example')).to.have.length(1);
  });

  it('is looked up in order, and a caller that waits too long is told that it had no turn', async () => {
    const slow = await startZone({ '*.example': 'no answer' });
    const routeOf = open({ dnsServers: [slow.address], lookupsMax: 6, timeoutMs: 300 });
    const routes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => routeOf(`slow${n}.example`)),
    );
    const kinds = routes.map(({ kind }) => kind);
    const asked = kinds.indexOf('no_turn');
    expect(kinds.slice(0, asked)).to.deep.equal(
      Array.from({ length: asked }, () => 'dns_time_out'),
    );
    expect(new Set(kinds.slice(asked))).to.deep.equal(new Set(['no_turn']));
    // Half of the slots, because it is one tree. As those end, two more may begin just in time.
    expect(asked).to.be.within(3, 5);
    const slowly = slow.asked.filter((name) => name.endsWith('.example'));
    expect(new Set(slowly).size).to.equal(asked);
    await slow.close();
  });

  for (const [what, answer] of [
    ['know of nothing', () => 'NXDOMAIN'],
    ['give every name an address', (type) => inventedRecord(type)],
    ['fail', (_type, name) => (name === 'com' ? 'SERVFAIL' : 'NXDOMAIN')],
  ] as [string, Parameters<typeof startNameServer>[0]][]) {
    it(`is not known from name servers that ${what}`, async () => {
      const broken = await startNameServer(answer);
      const routeOf = open({ dnsServers: [broken.address] });
      expect(await routeOf('nobody.example')).to.deep.equal({ kind: 'no_dns' });
      await broken.close();
    });
  }

  it('of a domain that exists for certain is not known where DNS says that it does not', async () => {
    const routeOf = open({ isKnown: (domain) => domain === 'provider.example' });
    expect(await routeOf('provider.example')).to.deep.equal({ kind: 'dns_failure' });
    zone['provider.example'] = { MX: ['mx.provider.example'] };
    expect((await routeOf('provider.example')).kind).to.equal('mx');
  });
});

function inventedRecord(type: string): Answer[] {
  const common = { name: 'any', ttl: 60 };
  if (type === 'NS') return [{ ...common, type, data: 'ns.example' }];
  return type === 'A' ? [{ ...common, type, data: PUBLIC }] : [];
}
