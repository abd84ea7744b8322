import { expect } from 'chai';

import { catalog } from '../../shared/composition/catalog.ts';
import { KINDS } from '../../shared/domains/inbox/parts.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';
import { judge, labor, openPool, verdictsOf, work } from '../labor/pool.ts';
import { act as actOnOrder, expectRefusal, openDeal } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { suspend } from '../suspend.ts';
import { act, bidOn, done, hire, openTask, submit } from '../tasks/board.ts';
import { inboxOf, submitted, suspendByRule, WAITING, WORDS, write } from './waiting.ts';
import type { Call, Item } from './waiting.ts';

const HOUR_MS = 3_600_000;

describe('the inbox', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(() => platform.close());

  /** With words of the agent's own where the call needs them. */
  const wordsFor = ({ needs }: Call) =>
    Object.fromEntries(
      needs.map((name) => {
        if (!WORDS[name]) throw new Error(`nobody can say ${name}`);
        return [name, WORDS[name]];
      }),
    );
  const byRest = ({ method, path, body }: Call, words: object, key: string) =>
    platform.request(`${method} ${path}`, { key, ...(body && { body: { ...body, ...words } }) });
  const byTool = ({ tool, arguments: given }: Call, words: object, key: string) =>
    platform.request('POST /api/v1/mcp/call', {
      key,
      body: { tool, params: { ...given, ...words } },
    });

  it('has here what waits of each kind', () => {
    const kinds = new Set(Object.keys(WAITING).map((name) => name.split(',')[0]));
    expect([...kinds]).to.have.members(KINDS);
  });

  for (const [name, wait] of Object.entries(WAITING)) {
    const [kind] = name.split(',');
    it(`shows ${name}, with calls that are performed as they are given`, async () => {
      const find = async (key: string) => {
        const found = await inboxOf(platform, { key });
        return found.inbox.find((item) => item.kind === kind)!;
      };
      const { calls: first, if_you_do_nothing: otherwise } = await find((await wait(platform)).key);
      expect(first.length).to.be.at.least(1);
      expect(otherwise).to.match(/\.$/);
      for (const n of first.keys()) {
        for (const by of [byRest, byTool]) {
          const { key } = await wait(platform);
          const { calls } = await find(key);
          const call = calls[n]!;
          expect(catalog.get(call.tool)!.rest).to.match(new RegExp(`^${call.method} `));
          const reply = await by(call, wordsFor(call), key);
          expect(reply.status, `${call.tool}: ${reply.text}`).to.equal(200);
        }
      }
    });
  }

  it('of an agent in the middle of five deals has the most urgent first, and then the most money', async () => {
    const agent = await platform.agent({ usd: 50 });
    const { seller, productId } = await openDeal(platform, {
      stock_kind: 'unlimited',
      content: 'It.',
      price: 2,
    });
    const [cheap, dear] = [
      await buy(platform, agent, { id: productId }),
      await buy(platform, agent, { id: productId }, 5),
    ];
    const { poster, taskId } = await submitted(platform);
    done(await act(platform, 'revision', { taskId, key: poster.key }, { note: 'More.' }));
    const own = await openTask(platform, agent, { budget: 3 });
    done(await bidOn(platform, { taskId: own, key: seller.key }, 2));
    const work = await openTask(platform, poster, { budget: 0.1 });
    await hire(platform, { taskId: work, poster, worker: agent }, 0.1);
    done(await write(platform, seller, { order_id: cheap }));

    const at = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 10 * HOUR_MS).getTime();
    const later = (minutes: number) => new Date(at + minutes * 60_000);
    await platform.query('update orders set release_at = $2 where id = $1', [cheap, later(1)]);
    await platform.query('update orders set release_at = $2 where id = $1', [dear, later(50)]);
    await platform.query('update task set due_at = $2 where id = $1', [work, later(-30)]);
    const { inbox, counts } = await inboxOf(platform, agent);
    expect(inbox.map(({ kind, id, amount }) => [kind, id, amount])).to.deep.equal([
      ['work_to_submit', work, 0.1],
      ['order_to_confirm', dear, 11],
      ['order_to_confirm', cheap, 2.2],
      ['bids_to_judge', own, 3],
      ['message_to_answer', inbox.at(-1)!.id, 2.2],
    ]);
    expect(counts).to.have.deep.members([
      { kind: 'work_to_submit', count: 1 },
      { kind: 'order_to_confirm', count: 2 },
      { kind: 'bids_to_judge', count: 1 },
      { kind: 'message_to_answer', count: 1 },
    ]);

    const pages: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await inboxOf(platform, agent, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.counts).to.deep.equal(counts);
      pages.push(...page.inbox);
      cursor = page.next_cursor;
    }
    expect(pages).to.deep.equal(inbox);
    const rest: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `?except=order_to_confirm&limit=1${cursor && `&cursor=${cursor}`}`;
      const page = await inboxOf(platform, agent, query);
      expect(page.counts).to.deep.equal(counts);
      rest.push(...page.inbox);
      cursor = page.next_cursor;
    }
    expect(rest).to.deep.equal(inbox.filter(({ kind }) => kind !== 'order_to_confirm'));
    const wrong = await platform.request('GET /api/v1/inbox?cursor=WzFd', { key: agent.key });
    expectRefusal(wrong, 422, 'validation_error');
  });

  it('shows nothing that is done, too late or for others', async () => {
    const { buyer, seller, orderId } = await openDeal(platform);
    const [item] = (await inboxOf(platform, buyer)).inbox;
    expect(item).to.include({ kind: 'order_to_confirm', id: orderId });
    expect((await inboxOf(platform, seller)).inbox).to.deep.equal([]);
    await platform.query(
      `update orders set release_at = now() - interval '1 s' where id = $1 and status = 'escrow'`,
      [orderId],
    );
    const kinds = async () => (await inboxOf(platform, buyer)).counts.map(({ kind }) => kind);
    expect(await kinds()).not.to.include('order_to_confirm');
    const left = (await inboxOf(platform, buyer)).inbox.map(({ kind }) => kind);
    expect(left).not.to.include('order_to_confirm');
    const { poster, worker, taskId } = await submitted(platform);
    done(await act(platform, 'approve', { taskId, key: poster.key }));
    for (const each of [poster, worker]) {
      expect((await inboxOf(platform, each)).inbox).to.deep.equal([]);
    }
    expect((await inboxOf(platform, await platform.agent())).counts).to.deep.equal([]);
  });

  it('shows one item for all that a party wrote, until it is answered', async () => {
    const { buyer, seller, orderId: order_id } = await openDeal(platform);
    for (let n = 0; n < 3; n += 1) done(await write(platform, buyer, { order_id }));
    expect((await inboxOf(platform, seller)).inbox).to.have.length(1);
    done(await write(platform, seller, { order_id }));
    expect((await inboxOf(platform, seller)).inbox).to.deep.equal([]);
  });

  it('leaves out what the key may not do', async () => {
    const { buyer } = await openDeal(platform);
    const reader = await platform.keyOf(buyer, ['read']);
    const { inbox } = await inboxOf(platform, { key: reader });
    expect(inbox[0]!.calls.map(({ tool }) => tool)).to.deep.equal([
      'get_vault_item',
      'refund_order',
    ]);
    const owner = await WAITING.approval_to_decide!(platform);
    const { counts } = await inboxOf(platform, { key: await platform.keyOf(owner, ['read']) });
    expect(counts).to.deep.equal([]);
  });

  it('of a seller is about its disputes alone', async () => {
    const { buyer, seller, orderId } = await openDeal(platform);
    done(await actOnOrder(platform, 'dispute_order', { orderId, key: buyer.key }));
    const [item] = (await inboxOf(platform, seller)).inbox;
    expect(item).to.include({ kind: 'dispute_to_answer', id: orderId, amount: 1 });
    done(await actOnOrder(platform, 'respond_dispute', { orderId, key: seller.key }));
    expect((await inboxOf(platform, seller)).inbox).to.deep.equal([]);
  });

  it('of a poster of labor has what its rules leave to it, and appeals it may give in to', async () => {
    const gold = { units: [{ payload: 'A picture.', expected: 'cat' }] };
    const kindsOf = async (agent: { key: string }) =>
      (await inboxOf(platform, agent)).counts.map(({ kind }) => kind);
    for (const [fields, by] of [
      [{ verification: 'manual' }, 'poster'],
      [gold, 'gold'],
    ] as const) {
      const pool = await openPool(platform, fields);
      const worker = await platform.agent();
      const { claim_id } = await work(platform, pool.taskId, worker, 'dog');
      if (by === 'poster') done(await judge(platform, pool, claim_id, 'reject'));
      else await verdictsOf(platform, pool.taskId);
      expect(await kindsOf(worker)).to.deep.equal(['claim_to_appeal']);
      const of = { taskId: pool.taskId, key: worker.key };
      done(await labor(platform, 'appeal', of, { claim_id, reason: 'It is one.' }));
      expect(await kindsOf(pool.poster), by).to.deep.equal(['appeals_to_judge']);
    }
    const draw = await openPool(platform, {
      verification: 'consensus',
      overlap: 2,
      max_overlap: 2,
    });
    await work(platform, draw.taskId, await platform.agent(), 'cat');
    expect(await kindsOf(draw.poster)).to.deep.equal([]);
    await work(platform, draw.taskId, await platform.agent(), 'dog');
    const { inbox } = await inboxOf(platform, draw.poster);
    expect(inbox.map(({ kind, amount }) => [kind, amount])).to.deep.equal([
      ['deliveries_to_judge', 0.02],
    ]);
  });

  it('shows an agent that a rule has suspended to those above it, and to nobody else', async () => {
    const root = await platform.agent();
    const child = await childOf(platform, root);
    const [sibling, below] = [await childOf(platform, root), await childOf(platform, child)];
    await suspendByRule(platform, below);
    const seen = async (agent: { key: string }) =>
      (await inboxOf(platform, agent)).inbox.map(({ kind, id }) => [kind, id]);
    for (const above of [root, child]) {
      expect(await seen(above)).to.deep.equal([['agent_to_resume', below.id]]);
    }
    for (const other of [sibling, below, await platform.agent()]) {
      expect(await seen(other)).to.deep.equal([]);
    }
    done(await platform.request(`POST /agent/monitor/${below.id}/resume`, { key: child.key }));
    expect(await seen(root)).to.deep.equal([]);
    // An agent above has decided this one itself.
    await suspend(platform, below);
    expect(await seen(root)).to.deep.equal([]);
  });

  it('says which of two bids is to be named', async () => {
    const { key } = await WAITING.bids_to_judge!(platform);
    const [{ id, calls }] = (await inboxOf(platform, { key })).inbox as [Item];
    expect(calls[1]).to.deep.include({ tool: 'task_accept_bid', needs: [] });
    const other = await platform.agent();
    done(await submit(platform, { taskId: id, key: other.key }));
    const [after] = (await inboxOf(platform, { key })).inbox;
    expect(after!.calls.map(({ tool, needs }) => [tool, ...needs])).to.deep.equal([
      ['task_bids'],
      ['task_accept_bid', 'bid_id'],
      ['task_submissions'],
      ['task_approve'],
      ['task_reject', 'reason'],
    ]);
    expect(after!.calls[1]!.path).to.equal(`/api/v1/tasks/${id}/bids/:bid_id/accept`);
  });
});
