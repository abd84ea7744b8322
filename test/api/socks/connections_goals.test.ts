// test:goals: it measures how soon open connections end with the right to them.
import { suspend } from '../../suspend.ts';
import { expectGoal } from '../../faults/stalls.ts';
import { Rig } from './rig.ts';
import { requestTarget } from './raw_client.ts';

describe('a connection of the SOCKS5 server', () => {
  let rig: Rig;
  before(async () => (rig = await Rig.open()));
  after(() => rig.close());

  for (const [what, act] of [
    [
      'its key was replaced',
      ({ key }) => rig.platform.request('POST /api/v1/proxy/my-key/rotate', { key }),
    ],
    ['its agent was suspended', (agent) => suspend(rig.platform, agent)],
  ] as [string, (agent: { id: number; key: string }) => Promise<unknown>][]) {
    it(`ends within a second after ${what}`, async () => {
      await rig.proxy('US');
      const server = await rig.server();
      const agent = await rig.agent();
      const { client } = await requestTarget(server, { key: agent.proxyKey, port: rig.plainPort });
      await act(agent);
      const endedAt = performance.now();
      await client.closed;
      expectGoal(`a connection after ${what}`, performance.now() - endedAt, 2_500);
    });
  }
});
