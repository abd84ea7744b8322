// test:all: every option of a user name is wrong once, and clients wait for each answer.
import { expect } from 'chai';

import type { SocksServer } from '../../../api/socks/server.ts';
import { eventually } from '../../harness.ts';
import { answerTo, requestText } from './http/http_client.ts';
import { requestTarget } from './raw_client.ts';
import { Rig } from './rig.ts';

describe('a user name of a proxy client that is not understood', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server({ refusalsPerSecond: 1_000 });
  });
  after(() => rig.close());

  const WRONG = [
    ['bob', /begins with agent/],
    ['agent-county-de', /^-county is no option/],
    ['agent-\0', /^The text behind agent is no option/],
    ['agent-country-usa', /^-country takes a code of two letters/],
    ['agent-country-us-country-de', /^-country is given twice/],
    ['agent-city-', /^-city takes .* 100 letters/],
    ['agent-asn-4294967296', /^-asn takes .*4294967295/],
    [`agent-session-${'a'.repeat(65)}`, /^-session takes .*64/],
    ['agent-session-a.b', /^-session takes .*letters, digits, _/],
    ['agent-session-a-ttl-5s', /^-ttl takes a time from 10s to 24h/],
    ['agent-ttl-5s', /^-ttl takes a time from 10s to 24h/],
    ['agent-ttl-10m', /^-ttl is the time of a session/],
  ] as const;

  it('is told to the owner of the key, with the option that is wrong', async () => {
    for (const [name, reason] of WRONG) {
      const byName: Readonly<Record<string, (key: string) => Promise<void>>> = {
        async SOCKS5(key) {
          const { login, client } = await requestTarget(server, { key, name, port: rig.webPort });
          expect(login, name).to.equal(2);
          expect(await client.readAll()).to.have.length(0);
          client.close();
        },
        async HTTP(key) {
          const uri = `http://target.example:${rig.webPort}/`;
          const text = requestText({ uri, login: `${name}:${key}` });
          const { status, body } = await answerTo(server.port, text);
          expect(status, name).to.equal(407);
          expect(JSON.parse(body).message).to.match(reason);
        },
      };
      for (const [protocol, connect] of Object.entries(byName)) {
        const agent = await rig.agent();
        await connect(agent.proxyKey);
        const access = () => rig.platform.request('GET /api/v1/proxy/access', { key: agent.key });
        const { code, message } = await eventually(
          async () => (await access()).body.last_refusal,
          (refusal) => refusal !== null,
        );
        expect(code, `${protocol} ${name}`).to.equal('validation_error');
        expect(message).to.match(reason);
      }
    }
  });

  it('is told to nobody if the key is wrong too', async () => {
    const agent = await rig.agent();
    const wrong = { key: `${agent.proxyKey}A`, name: 'agent-county-de', port: rig.webPort };
    expect((await requestTarget(server, wrong)).login).to.equal(1);
  });
});
