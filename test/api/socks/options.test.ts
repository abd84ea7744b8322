import { expect } from 'chai';

import { preferencesOf } from '../../../api/socks/user_name.ts';
import type { SocksServer } from '../../../api/socks/server.ts';
import { EXITS } from '../../proxies/peers.ts';
import { requestTarget } from './raw_client.ts';
import { Rig } from './rig.ts';

describe('options in the user name of a proxy client', function () {
  this.timeout(60_000);

  it('are read in any order, and values may have hyphens', () => {
    for (const [name, preferences] of [
      ['agent', {}],
      ['AGENT-Country-us', { country: 'US' }],
      ['agent-session-job-7', { session: 'job-7' }],
      ['agent-session-a-b-country-de', { session: 'a-b', country: 'DE' }],
      ['agent-city-New_York-asn-3320', { city: 'new-york', asn: 3_320 }],
      ['agent-session-a-ttl-10m', { session: 'a', ttlS: 600 }],
      ['agent-ttl-24h-session-a', { session: 'a', ttlS: 86_400 }],
      // The name of an option directly behind an option is its value.
      ['agent-session-country-country-us', { session: 'country', country: 'US' }],
      ['agent-session-my-city-trip', { session: 'my', city: 'trip' }],
    ] as const) {
      expect(preferencesOf(name), name).to.deep.equal(preferences);
    }
  });

  describe('choose the exit', () => {
    let rig: Rig;
    let server: SocksServer;
    let agent: Awaited<ReturnType<Rig['agent']>>;
    before(async () => {
      rig = await Rig.open();
      server = await rig.server();
      agent = await rig.agent();
      for (const [country, city, asn] of [
        ['US', 'New York', 7_922],
        ['DE', 'Baden-Baden', 3_320],
        ['JP', 'Tokyo', 2_516],
      ] as const) {
        const { address } = await rig.proxy(country);
        const sql = 'update proxy set city = $2, asn = $3 where ip_port = $1';
        await rig.platform.query(sql, [address, city, asn]);
      }
    });
    after(() => rig.close());

    for (const [options, country] of [
      ['city-new-york', 'US'],
      ['city-baden-baden', 'DE'],
      ['asn-2516', 'JP'],
      ['asn-3320-city-Baden-Baden-country-de-session-x-ttl-30m', 'DE'],
    ] as const) {
      it(options, async () => {
        const { from } = await rig.get(server, agent, { name: `agent-${options}` });
        expect(from).to.equal(EXITS[country].local);
      });
    }

    it('and no other one where none is on sale, also in a session', async () => {
      const key = agent.proxyKey;
      const name = 'agent-session-y-city-tokyo';
      expect((await rig.get(server, agent, { name })).from).to.equal(EXITS.JP.local);
      await rig.platform.query(`update proxy set city = 'Osaka' where city = 'Tokyo'`);
      for (const other of [name, 'agent-city-lima', 'agent-asn-1', 'agent-asn-7922-country-de']) {
        const wanted = { key, port: rig.webPort, name: other };
        expect((await requestTarget(server, wanted)).reply, other).to.equal(3);
      }
    });
  });
});
