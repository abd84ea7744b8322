// test:all: the client is generated and built from the marketplace.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { eventually, TestPlatform } from '../harness.ts';
import { buildClient, type BuiltClient, type ClientModule } from './built.ts';
import { answerWith, dropAfterAnswer, hold, openRelay, refuseFor } from './relay.ts';
import { patience } from '../platform/pace.ts';

describe('a call of the typed client', () => {
  let platform: TestPlatform;
  let built: BuiltClient;
  let client: ClientModule;

  before(async () => {
    platform = await TestPlatform.open();
    built = await buildClient(platform);
    client = await built.load();
  });
  after(async () => {
    built.remove();
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const market = (key: string, options: object = {}) =>
    client.openMarket({ baseUrl: platform.url, key, ...options });
  const ordersOf = async ({ id }: { id: number }) =>
    (await platform.query('select count(*)::int as n from orders where buyer_id = $1', [id]))[0].n;
  async function scene(usd = 5) {
    const product = await platform.product(await platform.agent(), {
      stock_kind: 'unlimited',
      content: 'it',
    });
    return { product_id: product.id, buyer: await platform.agent({ usd }) };
  }

  it('buys once, though the answers to its first two requests are lost', async () => {
    const { product_id, buyer } = await scene();
    const relay = await openRelay(platform.url, [dropAfterAnswer, dropAfterAnswer]);
    try {
      const order = await market(buyer.key, { baseUrl: relay.url }).purchase_product({
        product_id,
      });
      expect(order).to.include({ status: 'escrow', total_due: 1.1 });
    } finally {
      await relay.close();
    }
    expect(relay.requests).to.equal(3);
    expect(await ordersOf(buyer)).to.equal(1);
  });

  it('waits as long as a 503 asks it to, and tries again', async () => {
    const { product_id, buyer } = await scene();
    const relay = await openRelay(platform.url, [refuseFor(1)]);
    const since = Date.now();
    try {
      await market(buyer.key, { baseUrl: relay.url }).purchase_product({ product_id });
    } finally {
      await relay.close();
    }
    expect(Date.now() - since).to.be.at.least(1_000);
    expect(await ordersOf(buyer)).to.equal(1);
  });

  it('says with which key to repeat it, where no answer comes at all', async () => {
    const { product_id, buyer } = await scene();
    const relay = await openRelay(platform.url, [dropAfterAnswer, dropAfterAnswer]);
    const calls = market(buyer.key, { baseUrl: relay.url, attempts: 2 });
    try {
      const lost = await calls.purchase_product({ product_id }).catch((error: unknown) => error);
      expect(lost).to.be.an.instanceof(client.Unreachable);
      const again = await calls.purchase_product(
        { product_id },
        { idempotencyKey: (lost as { idempotencyKey: string }).idempotencyKey },
      );
      expect(again.status).to.equal('escrow');
    } finally {
      await relay.close();
    }
    expect(await ordersOf(buyer)).to.equal(1);
  });

  it('follows no redirect, which would be a read in place of a change', async () => {
    const { product_id, buyer } = await scene();
    const other = await openRelay(platform.url, []);
    const relay = await openRelay(platform.url, [
      answerWith(302, { location: `${other.url}/api/v1/proxy/info` }),
    ]);
    const call = market(buyer.key, { baseUrl: relay.url, attempts: 1 });
    try {
      const lost = await call.purchase_product({ product_id }).catch((error: unknown) => error);
      expect(lost).to.be.instanceOf(client.Unreachable);
    } finally {
      await relay.close();
      await other.close();
    }
    expect([relay.requests, other.requests]).to.deep.equal([1, 0]);
  });

  it('repeats no change that has no key, once it was sent', async () => {
    const relay = await openRelay(platform.url, [dropAfterAnswer]);
    try {
      const registering = client.openMarket({ baseUrl: relay.url }).register_agent({
        username: 'once',
        email: 'once@example.com',
        password: 'correct horse battery',
      });
      const lost = await registering.catch((error: unknown) => error);
      expect(lost).to.be.an.instanceof(client.Unreachable);
    } finally {
      await relay.close();
    }
    expect(relay.requests).to.equal(1);
  });

  it('is polled until it is finished, and can be resumed by another process', async () => {
    const { product_id, buyer } = await scene();
    await platform.pauseWorkers();
    let pending;
    try {
      const calls = market(buyer.key, { waitSeconds: 0 });
      const tried = calls.purchase_product({ product_id }, { timeoutMs: patience(250) });
      pending = await tried.catch((error: unknown) => error);
    } finally {
      await platform.resumeWorkers();
    }
    expect(pending).to.be.an.instanceof(client.StillPending);
    const resumed = market(buyer.key).resume('purchase_product', pending.jobId);
    expect(await resumed).to.include({ status: 'escrow' });
    expect(await ordersOf(buyer)).to.equal(1);
  });

  it('is refused by throwing, or as a value', async () => {
    const { product_id, buyer } = await scene(0);
    const calls = market(buyer.key);
    const before = await calls.get_wallet();
    const refused = await calls.purchase_product({ product_id }).catch((error: unknown) => error);
    expect(refused).to.be.an.instanceof(client.Refused);
    expect(refused).to.include({ code: 'insufficient_balance', status: 402 });
    const { ok, refusal } = await calls.try('purchase_product', { product_id });
    expect([ok, refusal.error]).to.deep.equal([false, 'insufficient_balance']);
    expect(refusal.next_actions).not.to.deep.equal([]);
    expect(await calls.get_wallet()).to.deep.equal(before);
  });

  it('that an owner has to approve says so, or waits for that', async () => {
    const { product_id, buyer } = await scene();
    const child = await childOf(platform, buyer);
    const owner = market(buyer.key);
    await owner.set_policy({ agent_id: child.id, approval_threshold: 0 });
    const calls = market(child.key, { waitSeconds: 1 });
    const options = { idempotencyKey: 'asked-once' };
    const asked = await calls.purchase_product({ product_id }, options).catch((e: unknown) => e);
    expect(asked).to.be.an.instanceof(client.ApprovalRequired);
    expect(await ordersOf(child)).to.equal(0);

    const waiting = calls.purchase_product({ product_id }, { ...options, waitForApproval: true });
    await owner.decide_approval({ approval_id: asked.approvalId, decision: 'approve' });
    expect(await waiting).to.include({ status: 'escrow' });
    expect(await calls.resume('purchase_product', asked.jobId)).to.deep.equal(await waiting);
    expect(await ordersOf(child)).to.equal(1);
  });

  it('reads a list to its end, page after page', async () => {
    const { product_id, buyer } = await scene(50);
    const calls = market(buyer.key);
    const bought = await Promise.all(
      Array.from({ length: 23 }, () => calls.purchase_product({ product_id })),
    );
    const ids: number[] = [];
    for await (const { order_id } of calls.all('get_orders', { limit: 10 })) ids.push(order_id);
    const expected = bought.map(({ order_id }: { order_id: number }) => order_id);
    expect(ids).to.deep.equal(expected.sort((one: number, other: number) => other - one));
  });

  it('follows events until it is told to stop, and goes on from its cursor', async () => {
    const { product_id, buyer } = await scene();
    const calls = market(buyer.key);
    const stop = new AbortController();
    const feed = calls.events({ type: 'order.*', signal: stop.signal });
    await feed.begin();
    const seen: number[] = [];
    const following = (async () => {
      for await (const event of feed) seen.push(event.object.id);
    })().catch((error: unknown) => error);
    const first = await calls.purchase_product({ product_id });
    await eventually(
      async () => seen,
      ({ length }) => length === 1,
    );
    const { cursor } = feed;
    stop.abort();
    await following;

    const second = await calls.purchase_product({ product_id });
    for await (const event of calls.events({ type: 'order.*', cursor })) {
      seen.push(event.object.id);
      if (event.object.id === second.order_id) break;
    }
    expect([seen[0], seen.at(-1)]).to.deep.equal([first.order_id, second.order_id]);
  });

  it('ends when its program says so, or its time is up, and names its program', async () => {
    const relay = await openRelay(platform.url, [hold, hold, hold, hold]);
    const agents: (string | null)[] = [];
    const own = (url: URL, init: RequestInit) => {
      agents.push(new Headers(init.headers).get('user-agent'));
      return fetch(url, init);
    };
    try {
      const { key } = await platform.agent();
      const options = { baseUrl: relay.url, fetch: own, userAgent: 'my-agent/1.2', attempts: 1 };
      const calls = market(key, options);
      const stop = new AbortController();
      const reason = new Error('enough');
      const outcome = (call: Promise<unknown>) => call.catch((error: unknown) => error);
      const wallet = outcome(calls.get_wallet({}, { signal: stop.signal }));
      const list = outcome(calls.all('get_orders', {}, { signal: stop.signal }).next());
      await eventually(
        async () => relay.requests,
        (requests) => requests === 2,
      );
      stop.abort(reason);
      expect(await Promise.all([wallet, list])).to.deep.equal([reason, reason]);
      // Its job waits for as long as the client says; then it is named.
      const { product_id, buyer } = await scene();
      await platform.pauseWorkers();
      try {
        const hasty = market(buyer.key, { timeoutMs: patience(250), waitSeconds: 0 });
        const late = await outcome(hasty.purchase_product({ product_id }));
        expect(late).to.be.an.instanceof(client.StillPending);
      } finally {
        await platform.resumeWorkers();
      }
    } finally {
      await relay.close();
    }
    expect(new Set(agents)).to.deep.equal(new Set(['agent-marketplace-client/0.2.0 my-agent/1.2']));
  });
});
