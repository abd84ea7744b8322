import { expect } from 'chai';

import { eventually, TestPlatform } from '../../harness.ts';
import { launch, MASTER_KEYS, urlOf, type ApiProcess } from '../api_process.ts';
import { openStream, pathOf } from './sse_client.ts';

const rpc = (method: string, params: object, id?: number | string) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  method,
  params,
});
const cancelled = (requestId: number | string) => rpc('notifications/cancelled', { requestId });

/** No worker runs, so a call waits for as long as it says. */
describe('notifications/cancelled', function () {
  this.timeout(60_000);

  let platform: TestPlatform;
  let other: ApiProcess;
  let otherUrl: string;
  let product_id: number;

  before(async () => {
    platform = await TestPlatform.open({ workers: false, env: { MASTER_KEYS } });
    const goods = { stock_kind: 'unlimited', content: 'It.' };
    product_id = (await platform.product(await platform.agent(), goods)).id;
    other = launch(platform);
    otherUrl = await urlOf(other);
  });
  afterEach(() => platform.pauseWorkers());
  after(async () => {
    other.child.kill('SIGKILL');
    await platform.close();
  });

  const purchase = (id: number | string) =>
    rpc('tools/call', { name: 'purchase_product', arguments: { product_id, wait: 20 } }, id);
  const post = (url: string, key: string | undefined, body: object) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    });

  /** Expects the answer to a cancelled purchase, which must not have waited to its end. */
  async function expectCancelled(key: string, { result }: ToolReply): Promise<void> {
    expect(result.structuredContent).to.include({ status: 'pending' });
    expect(result.content[1]!.text).to.match(/no longer wait.*no money comes back.*get_job/);
    await platform.resumeWorkers();
    const { job_id } = result.structuredContent;
    const { body } = await eventually(
      () => platform.request(`GET /api/v1/jobs/${job_id}`, { key }),
      ({ body: job }) => job.status === 'complete',
    );
    expect(body.result).to.include({ status: 'escrow', product_id });
  }

  it('reaches a waiting call from any API process: it is answered, and goes on', async () => {
    const buyer = await platform.agent({ usd: 10 });
    const [mcp, otherMcp] = [`${platform.url}/api/v1/mcp`, `${otherUrl}/api/v1/mcp`];
    let answer: ToolReply | undefined;
    const call = post(mcp, buyer.key, purchase(7)).then(async (response) => {
      answer = (await response.json()) as ToolReply;
    });
    const thief = await platform.agent();
    await eventually(
      () => waitingIn(platform),
      (jobs) => jobs === 1,
    );
    // Others cannot cancel it, and neither can another id.
    for (const [key, id] of [
      [thief.key, 7],
      [undefined, 7],
      [buyer.key, '7'],
    ] as const) {
      expect((await post(mcp, key, cancelled(id))).status).to.equal(202);
    }
    await platform.request('GET /api/v1/wallet', { key: buyer.key });
    expect(answer).to.equal(undefined);
    await eventually(
      async () => {
        await post(otherMcp, buyer.key, cancelled(7));
        return answer;
      },
      (given) => given !== undefined,
    );
    await call;
    await expectCancelled(buyer.key, answer!);
  });

  it('reaches a call in its own batch', async () => {
    const buyer = await platform.agent({ usd: 10 });
    // Both that have this id: it cannot say which of them is meant.
    const batch = [purchase(1), purchase(1), cancelled(1)];
    const response = await post(`${platform.url}/api/v1/mcp`, buyer.key, batch);
    const [answer, other] = (await response.json()) as [ToolReply, ToolReply];
    expect(other.result.content).to.have.length(2);
    await expectCancelled(buyer.key, answer);
  });

  it('reaches a call of a stream, and no call of another stream', async () => {
    const buyer = await platform.agent({ usd: 10 });
    const open = () => openStream(platform.url, buyer.key);
    const streams = [
      await eventually(open, ({ status }) => status === 200),
      await eventually(open, ({ status }) => status === 200),
    ] as const;
    const paths = await Promise.all(streams.map(pathOf));
    for (const path of paths) await post(platform.url + path, buyer.key, purchase(1));
    await eventually(
      () => waitingIn(platform),
      (jobs) => jobs >= 2,
    );
    await post(platform.url + paths[0]!, buyer.key, cancelled(1));
    const answer = JSON.parse((await streams[0].next())!.data) as ToolReply;
    await expectCancelled(buyer.key, answer);
    const { result } = JSON.parse((await streams[1].next())!.data) as ToolReply;
    expect(result.structuredContent).to.include({ status: 'escrow', product_id });
    for (const stream of streams) stream.close();
  });
});

const waitingIn = async (platform: TestPlatform): Promise<number> => {
  const [row] = await platform.query(
    `select count(*)::int as n from job where status = 'pending' and agent_id > 0`,
  );
  return (row as { n: number }).n;
};

interface ToolReply {
  readonly result: {
    readonly content: { text: string }[];
    readonly structuredContent: { status: string; job_id: string };
  };
}
