import { expect } from 'chai';

import { CURSOR, OAuthRig } from '../api/oauth/rig.ts';
import { logIn, requestTarget, type RawClient } from '../api/socks/raw_client.ts';
import { Rig } from '../api/socks/rig.ts';
import { openEventStream } from '../events/event_stream.ts';
import type { Goals } from '../faults/stalls.ts';
import { eventually } from '../harness.ts';

const SECOND_MS = 1_000;

export const endedAtOnce = (goals: Goals) =>
  describe('a connection that its owner has ended', () => {
    let rig: OAuthRig;
    let socks: Rig;
    before(async () => {
      socks = await Rig.open(async (env) => {
        rig = await OAuthRig.open({ env, workers: false });
        return rig.platform;
      });
    });
    after(async () => {
      await socks.close();
      rig.endFront();
    });

    it('is dead: by REST, by MCP, in an open stream and in an open tunnel', async () => {
      await socks.proxy('US');
      const server = await socks.server();
      const owner = await rig.platform.agent({ usd: 10 });
      const flow = await rig.authorize(CURSOR, { username: owner.username });
      const { access_token: token, refresh_token: refresh } = await flow.exchange();
      const proxyKey = await socks.proxyKey({ key: token });
      const rest = () => rig.platform.request('GET /api/v1/agent/me', { key: token });
      const mcp = () => rig.mcp(token, 'tools/call', { name: 'agent_me', arguments: {} });
      const stream = await openEventStream(rig.platform.url, { key: token });
      const tunnel = await requestTarget(server, { key: proxyKey, port: socks.plainPort });
      expect(await echoOf(tunnel.client)).to.equal('echo');
      expect([(await rest()).status, (await mcp()).status, stream.status]).to.deep.equal([
        200, 200, 200,
      ]);

      const [{ connection_id: id }] = (
        await rig.platform.request('GET /api/v1/connections', { key: owner.key })
      ).body.connections;
      const ended = await rig.platform.request(`DELETE /api/v1/connections/${id}`, {
        key: owner.key,
      });
      expect(ended.body.status).to.equal('revoked');
      const endedAt = performance.now();
      const sinceEnd = () => performance.now() - endedAt;

      /** Calls until it is refused; answers when the last call began that was let through. */
      const lastTrusted = async (call: () => Promise<{ status: number }>) => {
        let lastMs = 0;
        const ask = async () => {
          const askedMs = sinceEnd();
          const { status } = await call();
          if (status === 200) lastMs = askedMs;
          return status;
        };
        await eventually(ask, (status) => status === 401);
        return lastMs;
      };
      const [byRest, byMcp, streamMs, tunnelMs] = await Promise.all([
        lastTrusted(rest),
        lastTrusted(mcp),
        stream.next().then((message) => [message, sinceEnd()] as const),
        tunnel.client.closed.then(sinceEnd),
      ]);
      expect(streamMs[0], 'nothing more is sent').to.equal(undefined);

      const again = await logIn(server, { key: proxyKey });
      expect(again.status, 'the proxy key').to.equal(1);
      expect(await flow.refresh(refresh)).to.include({ error: 'invalid_grant' });
      expect((await openEventStream(rig.platform.url, { key: token })).status).to.equal(401);
      goals.expectGoal('a call by REST after the end', byRest, SECOND_MS);
      goals.expectGoal('a call by MCP after the end', byMcp, SECOND_MS);
      goals.expectGoal('a stream of a connection that was ended', streamMs[1], 2 * SECOND_MS);
      goals.expectGoal('a tunnel of a connection that was ended', tunnelMs, 2 * SECOND_MS);
    });
  });

/** Answer of a target that returns each byte. */
async function echoOf(client: RawClient): Promise<string> {
  client.send('echo');
  return (await client.read(4)).toString();
}
