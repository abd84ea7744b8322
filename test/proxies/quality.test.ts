import { expect } from 'chai';
import { rm } from 'node:fs/promises';

import { anonymityOf, seenIn } from '../../shared/domains/proxies/checks/forwarding.ts';
import { openLocations } from '../../workers/gateways/proxies/locations.ts';
import { adding, honestly, startMeddlingPeer } from './meddling_peer.ts';
import { writeMmdb } from './mmdb.ts';
import { EXITS } from './peers.ts';
import { ProxyRig } from './proxy_rig.ts';

const OURS = '203.0.113.9';

describe('what a judge sees of proxies', () => {
  for (const [headers, hops, seen] of [
    [{}, 0, ''],
    [{ 'user-agent': 'via 1.2.3.4' }, 0, ''],
    [{ via: '1.1 squid' }, 0, 'via'],
    [{ 'x-forwarded-for': `${OURS}, 8.8.8.8` }, 1, `x-forwarded-for ${OURS}`],
    [{ 'x-forwarded-for': '8.8.8.8' }, 1, ''],
    [{ 'x-forwarded-for': OURS }, 0, `x-forwarded-for ${OURS}`],
    [{ 'x-forwarded-for': 'unknown' }, 0, 'x-forwarded-for'],
    [{ forwarded: `for=${OURS};proto=http` }, 0, `forwarded ${OURS}`],
    [{ forwarded: 'for="[2001:db8::1]:4711"' }, 0, 'forwarded 2001:db8::1'],
    [{ 'x-real-ip': `${OURS}:1080`, via: 'a, b' }, 0, `via x-real-ip ${OURS}`],
    [{ via: Array.from({ length: 20 }, (_, n) => `10.0.0.${n}`) }, 0, /^via( 10\.0\.0\.\d){8}$/],
  ] as const) {
    it(`of ${JSON.stringify(headers)} behind ${hops} routers is "${String(seen)}"`, () => {
      if (typeof seen === 'string') expect(seenIn(headers, hops)).to.equal(seen);
      else expect(seenIn(headers, hops)).to.match(seen);
    });
  }

  for (const [seen, direct, anonymity] of [
    ['', '', 'elite'],
    ['via', '', 'anonymous'],
    ['x-forwarded-for 1.2.3.4', '', 'anonymous'],
    [`x-forwarded-for ${OURS}`, '', 'transparent'],
    // Headers that routers of the judge add are no proxy's.
    ['via x-real-ip 8.8.8.8', `via x-real-ip ${OURS}`, 'elite'],
    ['via x-forwarded-for', 'via', 'anonymous'],
  ] as const) {
    it(`"${seen}" beside "${direct}" is ${anonymity}`, () => {
      expect(anonymityOf(seen, { seen: direct, address: OURS })).to.equal(anonymity);
    });
  }
});

describe('the quality of a proxy', function () {
  this.timeout(60_000);

  it('is what its checks have shown, with the city and the network of its exit', async () => {
    const cities = writeMmdb(EXITS.US.seen, { city: 'Mountain View', country_code: 'US' });
    const networks = writeMmdb(EXITS.US.seen, { autonomous_system_number: 15_169 });
    const env = { CITY_DATABASE: cities, ASN_DATABASE: networks };
    const rig = await ProxyRig.open({ env });
    const meddling = await Promise.all(
      [
        honestly,
        adding('Via: 1.1 squid'),
        adding('Via: 1.1 squid', 'X-Forwarded-For: 127.0.0.1'),
      ].map(startMeddlingPeer),
    );
    const abroad = await rig.peer('working', EXITS.US);
    const fickle = await rig.peer('working');
    const all = [...meddling, abroad, fickle];
    rig.list(all.map(({ address }) => address));
    await rig.refresh();
    await rig.checked(...all);
    const rows = await Promise.all(meddling.map(({ address }) => rig.row(address)));
    const found = rows.map(({ anonymity }) => anonymity);
    expect(found).to.deep.equal(['elite', 'anonymous', 'transparent']);
    const { id, ...row } = await rig.row(abroad.address);
    expect(row).to.include({ country_code: 'US', city: 'Mountain View', asn: '15169' });
    expect(rows[0]).to.include({ city: null, asn: null, success_rate: 1, uptime: null });

    // An hour later it fails, and an hour after that it passes.
    const hourAgo = `update proxy set checked_at = checked_at - interval '1 hour',
                            passed_at = passed_at - interval '1 hour' where ip_port = $1`;
    await rig.platform.query(hourAgo, [fickle.address]);
    fickle.become('dead');
    await rig.recheck([fickle]);
    expect(await rig.row(fickle.address)).to.include({ success_rate: 0.5, uptime: 1 });
    await rig.platform.query(hourAgo, [fickle.address]);
    fickle.become('working');
    await rig.recheck([fickle]);
    const { success_rate: rate, uptime } = await rig.row(fickle.address);
    expect(rate).to.be.closeTo(2 / 3, 1e-6);
    expect(uptime).to.be.closeTo(0.5, 0.02);

    const agent = await rig.platform.agent();
    const bought = await rig.platform.request(`GET /api/v1/proxy/${id}`, agent);
    expect(bought.body).to.include({ city: 'Mountain View', asn: 15_169, success_rate: 1 });
    expect(bought.body.anonymity).to.equal('elite');
    await rig.close();
    await Promise.all(meddling.map((peer) => peer.close()));
    await Promise.all([cities, networks].map((file) => rm(file)));
  });

  it('is read of MaxMind files as of those of DB-IP, and of odd ones nothing', async () => {
    for (const [city, asn, expected] of [
      [{ city: { names: { en: 'Paris' } } }, { autonomous_system_number: 3_215 }, ['Paris', 3_215]],
      [{ city: 'Paris' }, { autonomous_system_number: '3215' }, ['Paris', 3_215]],
      [{ city: ' ' }, { autonomous_system_number: 0 }, [undefined, undefined]],
      [{ name: 'Paris' }, { number: 3_215 }, [undefined, undefined]],
    ] as const) {
      const [cityDatabase, asnDatabase] = [writeMmdb('9.9.9.9', city), writeMmdb('9.9.9.9', asn)];
      const settings = { countryDatabase: undefined, cityDatabase, asnDatabase };
      const locationOf = await openLocations(settings);
      expect([locationOf('9.9.9.9').city, locationOf('9.9.9.9').asn]).to.deep.equal(expected);
      // The IPv6 address begins with the bits of the IPv4 address, which is all that they have.
      for (const other of ['9.9.9.8', '909:909::1']) {
        expect(locationOf(other), other).to.include({ city: undefined, asn: undefined });
      }
      await Promise.all([cityDatabase, asnDatabase].map((file) => rm(file)));
    }
  });
});
