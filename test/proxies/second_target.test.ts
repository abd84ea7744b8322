import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { audit } from '../../shared/composition/audit.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { sharedHostsOf } from '../../shared/domains/proxies/settings.ts';
import { newPassword } from '../../local/stored_values.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { eventually } from '../harness.ts';
import { honestly, startMeddlingPeer, toTheJudgeOnly } from './meddling_peer.ts';
import { ProxyRig } from './proxy_rig.ts';

type MeddlingPeer = Awaited<ReturnType<typeof startMeddlingPeer>>;

describe('a proxy that is honest to the judge only', function () {
  this.timeout(60_000);

  let rig: ProxyRig;
  let page: Server;
  /** The answer of the operator's page; undefined: nothing. */
  let text: (() => string) | undefined;
  const peers: MeddlingPeer[] = [];
  before(async () => {
    page = createServer((_req, res) => (text ? res.end(text()) : res.destroy()));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', () => resolve()));
  });
  afterEach(async () => {
    expect(await audit(rig.platform.context.database)).to.deep.equal([]);
    await rig.close();
    for (const peer of peers.splice(0)) await peer.close();
  });
  after(() => new Promise((resolve) => page.close(resolve)));

  const openOperators = () => {
    const { port } = page.address() as AddressInfo;
    return ProxyRig.open({ env: { PROXY_PAGES: `http://127.0.0.1:${port}/plain.html` } });
  };
  async function start(meddle: typeof honestly): Promise<MeddlingPeer> {
    const peer = await startMeddlingPeer(meddle);
    peers.push(peer);
    return peer;
  }
  async function list(...listed: MeddlingPeer[]): Promise<void> {
    rig.list(listed.map(({ address }) => address));
    await rig.refresh();
    await rig.checked(...listed);
  }

  it('never comes on sale, beside an honest one that does', async () => {
    rig = await ProxyRig.open();
    const [liar, honest] = [await start(toTheJudgeOnly), await start(honestly)];
    await list(liar, honest);
    expect(await rig.states(liar, honest)).to.deep.equal(['dead', 'hot']);
  });

  it('is paid back when it is reported, and leaves the market', async () => {
    rig = await ProxyRig.open();
    const peer = await start(honestly);
    await list(peer);
    const { id } = await rig.row(peer.address);
    const agent = await rig.platform.agent();
    const bought = await rig.platform.request(`GET /api/v1/proxy/${id}`, agent);
    expect(bought.status).to.equal(200);
    peer.become(toTheJudgeOnly);
    const route = `POST /api/v1/proxy/${id}/report?wait=25`;
    const { body } = await rig.platform.request(route, agent);
    expect(body).to.deep.equal({ proxy_id: String(id), status: 'dead', credited: 0.001 });
    expect(await rig.platform.balance(agent)).to.equal(0.5);
    expect(await rig.states(peer)).to.deep.equal(['quarantined']);
  });

  it('is found with a page of the operator too', async () => {
    text = () => 'a plain page';
    rig = await openOperators();
    const [liar, honest] = [await start(toTheJudgeOnly), await start(honestly)];
    await list(liar, honest);
    expect(await rig.states(liar, honest)).to.deep.equal(['dead', 'hot']);
  });

  it('is not looked for with a page that changes, or that we do not get ourselves', async () => {
    let views = 0;
    text = () => `view ${(views += 1)}`;
    rig = await openOperators();
    const honest = await start(honestly);
    await list(honest);
    expect(await rig.states(honest)).to.deep.equal(['hot']);
    expect(views).to.be.at.least(2);
    text = undefined;
    await rig.recheck([honest]);
    await eventually(
      () => rig.states(honest),
      ([state]) => state === 'hot',
    );
  });
});

describe('a page with the host of the judge', () => {
  const hostsOf = (env: Record<string, string>) => {
    const { proxies } = readConfig({
      DATABASE_URL: 'postgres://127.0.0.1/market',
      REDIS_URL: 'redis://127.0.0.1',
      MASTER_KEYS: newMasterKey('test'),
      OPERATOR_TOKEN: newPassword(),
      PUBLIC_URL: 'https://market.example.com',
      ...env,
    });
    return sharedHostsOf(proxies);
  };

  it('is named to the operator, and one at another site is not', () => {
    expect(hostsOf({})).to.deep.equal(['market.example.com']);
    const PROXY_PAGES = 'https://plain.example.org/a http://market.example.com/b';
    expect(hostsOf({ PROXY_PAGES })).to.deep.equal(['market.example.com']);
    expect(hostsOf({ PROXY_PAGES: 'https://plain.example.org/a' })).to.deep.equal([]);
    const PROXY_JUDGES = 'https://judge.example.net/judge';
    expect(hostsOf({ PROXY_JUDGES })).to.deep.equal([]);
  });
});
