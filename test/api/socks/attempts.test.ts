import { expect } from 'chai';

import type { SocksServer } from '../../../api/socks/server.ts';
import { eventually } from '../../harness.ts';
import { EXITS } from '../../proxies/peers.ts';
import { Rig } from './rig.ts';
import { requestTarget, replyTo } from './raw_client.ts';
import { patience } from '../../platform/pace.ts';

describe('the SOCKS5 server dials another proxy, free of charge,', function () {
  this.timeout(60_000);

  let rig: Rig;
  let server: SocksServer;
  let agent: Awaited<ReturnType<Rig['agent']>>;
  before(async () => {
    rig = await Rig.open();
    server = await rig.server();
  });
  beforeEach(async () => {
    agent = await rig.agent();
  });
  afterEach(() => rig.clear());
  after(() => rig.close());

  const to = () => ({ key: agent.proxyKey, port: rig.plainPort });

  for (const behaviour of ['dead', 'silent', 'password'] as const) {
    it(`when one is ${behaviour}, and requests a check of that one`, async () => {
      const [one, two, good] = await Promise.all([
        rig.proxy('US', behaviour),
        rig.proxy('DE', behaviour),
        rig.proxy('JP'),
      ]);
      const hasty = await rig.server({ proxyMs: 2_000 });
      const through = behaviour === 'silent' ? hasty : server;
      // Each connection begins at another position: in the end all three have been dialled.
      for (let paid = 1; one.connections === 0 || two.connections === 0; paid += 1) {
        expect((await rig.get(through, agent)).from).to.equal(EXITS.JP.local);
        expect(await rig.charges(agent)).to.equal(paid);
      }
      await eventually(
        () => rig.due(one, two, good),
        (due) => due.length === 2 && !due.includes(good.address),
      );
    });
  }

  it('and replies 1 or 6 when all fail', async () => {
    await Promise.all([rig.proxy('US', 'dead'), rig.proxy('US', 'dead')]);
    expect(await replyTo(server, to())).to.equal(1);
    await rig.clear();
    await Promise.all([rig.proxy('US', 'silent'), rig.proxy('US', 'silent')]);
    expect(await replyTo(await rig.server({ proxyMs: 300 }), to())).to.equal(6);
    expect(await rig.platform.balance(agent)).to.equal(0.5);
  });

  it('up to three of them, within the time limit for all', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => rig.proxy('US', 'silent')));
    const tried = () => all.reduce((sum, { connections }) => sum + connections, 0);
    expect(await replyTo(await rig.server({ proxyMs: 300 }), to())).to.equal(6);
    expect(tried()).to.equal(3);
    const hasty = await rig.server({ proxyMs: patience(300), dialMs: patience(300) });
    expect(await replyTo(hasty, to())).to.equal(6);
    expect(tried()).to.be.within(4, 5); // Timers are exact to a millisecond, which may be left.
  });

  it('when one cannot reach the target, and requests no check of it', async () => {
    const proxies = await Promise.all([
      rig.proxy('US', 'nameless'),
      rig.proxy('US', 'nameless'),
      rig.proxy('US', 'nameless'),
    ]);
    expect(await replyTo(server, to())).to.equal(4);
    proxies[1]!.become('working');
    expect((await requestTarget(server, to())).reply).to.equal(0);
    expect(await rig.platform.balance(agent)).to.equal(0.499);
    expect(await rig.due(...proxies)).to.deep.equal([]);
  });
});
