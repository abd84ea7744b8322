import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';

const env = { GOODWILL_PER_CREDIT: '20', GOODWILL_PER_DAY: '100' };

/** Opens a platform for the tests of a day, and looks through its books at the end. */
function scene() {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false, env });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
  const give = ({ id }: { id: number }, body: object) =>
    platform.request(`POST /api/v1/admin/agents/${id}/goodwill`, { key: OPERATOR_TOKEN, body });
  return { give, platform: () => platform };
}

describe('give_goodwill', () => {
  const { give, platform } = scene();
  const walletOf = async (agent: { key: string }) =>
    (await platform().request('GET /api/v1/wallet', agent)).body;

  it('gives credit to the tree of an agent, and says so to it and in its statement', async () => {
    const root = await platform().agent();
    const child = await childOf(platform(), root);
    const { body } = await give(child, {
      amount: 2.5,
      reference: 'ticket-1',
      note: 'It was slow.',
    });
    expect(body).to.deep.include({
      agent_id: child.id,
      amount: 2.5,
      reference: 'ticket-1',
      given_by: 'operator',
    });
    expect(await walletOf(root)).to.include({ credit: 3, cash: 0, balance: 3 });
    const statement = await platform().request('GET /api/v1/wallet/statement', root);
    expect(statement.body.entries[0]).to.deep.include({
      kind: 'goodwill',
      amount: 2.5,
      ref: { kind: 'goodwill', id: String(body.goodwill_id) },
      description: 'Goodwill credit',
    });
    const { body: page } = await platform().request('GET /api/v1/events?type=goodwill.*', child);
    expect(page.events.map(({ data }: { data: object }) => data)).to.deep.equal([
      { agent_id: child.id, amount: 2.5 },
    ]);
  });

  it('pays a reference once, also to those who ask at once', async () => {
    const agent = await platform().agent();
    const body = { amount: 1, reference: 'ticket-2' };
    const replies = await Promise.all(Array.from({ length: 8 }, () => give(agent, body)));
    const first = replies[0]!.body;
    for (const reply of replies) expect(reply.body).to.deep.equal(first);
    expect(await walletOf(agent)).to.include({ credit: 1.5 });
    for (const [to, amount] of [
      [agent, 2],
      [await platform().agent(), 1],
    ] as const) {
      const reply = await give(to, { ...body, amount });
      expect([reply.status, reply.body.error]).to.deep.equal([422, 'idempotency_conflict']);
    }
    expect(await walletOf(agent)).to.include({ credit: 1.5 });
  });

  it('refuses too much at once, nobody, nothing, and a reference with spaces', async () => {
    const agent = await platform().agent();
    for (const [to, body, code] of [
      [agent, { amount: 20.000001, reference: 'a' }, 'validation_error'],
      [agent, { amount: 0, reference: 'a' }, 'validation_error'],
      [agent, { amount: 1, reference: 'a b' }, 'validation_error'],
      [agent, { amount: 1 }, 'validation_error'],
      [{ id: 999_999 }, { amount: 1, reference: 'a' }, 'not_found'],
    ] as const) {
      expect((await give(to, body)).body.error, JSON.stringify(body)).to.equal(code);
    }
    expect(await walletOf(agent)).to.include({ credit: 0.5 });
    expect((await give(agent, { amount: 20, reference: 'a' })).status).to.equal(200);
  });
});

describe('the goodwill of a day', () => {
  const { give, platform } = scene();

  it('is given up to exactly its limit by operators who give at once', async () => {
    const agents = [await platform().agent(), await platform().agent()];
    const replies = await Promise.all(
      Array.from({ length: 9 }, (_, n) =>
        give(agents[n % 2]!, { amount: 15, reference: `t-${n}` }),
      ),
    );
    const codes = replies.map(({ status, body }) => (status === 200 ? 'given' : body.error));
    expect(codes.filter((code) => code === 'given')).to.have.length(6);
    expect(codes.filter((code) => code === 'daily_limit_exceeded')).to.have.length(3);
    const [{ sum }] = await platform().query('select sum(credit)::int as sum from ledger.treasury');
    expect(sum).to.equal(6 * 15_000_000 + 2 * 500_000);
    expect((await give(agents[0]!, { amount: 10.01, reference: 'more' })).status).to.equal(402);
    expect((await give(agents[0]!, { amount: 10, reference: 'more' })).status).to.equal(200);
  });
});
