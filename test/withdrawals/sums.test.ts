import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { railOf } from '../deposits/paid_in.ts';
import { TestPlatform } from '../harness.ts';
import { inQueue } from '../in_queue.ts';
import { done } from '../tasks/board.ts';
import { newAddress, withdraw } from './chain.ts';

describe('money out is looked at by its sum, and by where it came from', () => {
  let platform: TestPlatform;
  const { payment, credit, reverse } = railOf(() => platform);
  before(async () => {
    platform = await TestPlatform.open({ env: { WITHDRAWAL_REVIEW_ABOVE_MONTH: '3000' } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  type Agent = Awaited<ReturnType<TestPlatform['agent']>>;
  const ask = (agent: Agent, amount: number) =>
    withdraw(platform, agent, { amount, address: newAddress() });
  const reviewOf = async (agent: Agent, amount: number) => done(await ask(agent, amount)).review;
  const walletOf = async ({ key }: Agent) =>
    done(await platform.request('GET /api/v1/wallet', { key }));
  const quoteOf = async ({ key }: Agent, amount: number) => {
    const query = `amount=${amount}&address=${newAddress()}`;
    return done(await platform.request(`GET /api/v1/wallet/withdrawals/quote?${query}`, { key }));
  };
  /** Makes all that this tree has done so far so many days old. */
  const age = async ({ id }: Agent, days: number) => {
    for (const [table, column] of [
      ['withdrawal', 'created_at'],
      ['deposit', 'credited_at'],
    ]) {
      const earlier = `${column} - make_interval(days => $2)`;
      await platform.query(`update ${table} set ${column} = ${earlier} where root_id = $1`, [
        id,
        days,
      ]);
    }
  };

  it('waits for an operator where parts of a day come to more than one may be', async () => {
    const agent = await platform.agent({ usd: 5_000 });
    expect(await reviewOf(agent, 600)).to.equal(null);
    expect((await quoteOf(agent, 401)).holds.map(({ kind }: { kind: string }) => kind)).to.include(
      'review',
    );
    expect(await reviewOf(agent, 400)).to.equal(null);
    const beyond = done(await ask(agent, 1));
    expect(beyond.review).to.equal('pending');
    // Another tree has a sum of its own.
    expect(await reviewOf(await platform.agent({ usd: 1_000 }), 1_000)).to.equal(null);

    // Withdrawals that an operator has looked at count no more, nor does what came before.
    const route = `POST /api/v1/admin/withdrawals/${beyond.withdrawal_id}/review`;
    const approved = { key: OPERATOR_TOKEN, body: { decision: 'approve' } };
    done(await platform.request(route, approved));
    expect(await reviewOf(agent, 1_000)).to.equal(null);
    expect(await reviewOf(agent, 1)).to.equal('pending');
  });

  it('waits for an operator where days of a month come to more than it may', async () => {
    const agent = await platform.agent({ usd: 9_000 });
    for (let day = 0; day < 3; day += 1) {
      expect(await reviewOf(agent, 1_000)).to.equal(null);
      await age(agent, 2);
    }
    expect((await quoteOf(agent, 1)).earliest_at).to.equal(null);
    expect(await reviewOf(agent, 1)).to.equal('pending');
    await age(agent, 30);
    expect(await reviewOf(agent, 1_000)).to.equal(null);
  });

  it('looks at no sum that came back', async () => {
    const agent = await platform.agent({ usd: 5_000 });
    const { key } = agent;
    const made = done(await ask(agent, 1_000));
    const cancel = `POST /api/v1/wallet/withdrawals/${made.withdrawal_id}/cancel`;
    done(await platform.request(cancel, { key }));
    expect(await reviewOf(agent, 1_000)).to.equal(null);
    expect(await reviewOf(agent, 1)).to.equal('pending');
  });

  it('counts each once of those that ask at once', async () => {
    const agent = await platform.agent({ usd: 5_000 });
    const asked = await Promise.all(Array.from({ length: 6 }, () => reviewOf(agent, 400)));
    expect(asked.filter((review) => review === null)).to.have.length(2);
  });

  it('keeps to the day of a tree when two ask at once', async () => {
    const agent = await platform.agent({ usd: 40_000 });
    done(await ask(agent, 10_000));
    const treasury = `select from ledger.treasury where id = ${agent.id} for update`;
    const last = () => ask(agent, 10_000);
    const replies = await inQueue(platform, treasury, [last, last]);
    const said = replies.map(({ body }) => body.error ?? 'made');
    expect(said).to.have.members(['daily_limit_exceeded', 'made']);
  });

  it('counts to the day what was asked for within 24 hours, and nothing from before', async () => {
    const agent = await platform.agent({ usd: 30_000 });
    for (const amount of [10_000, 10_000]) done(await ask(agent, amount));
    const later = (hours: number) =>
      platform.query(
        `update withdrawal set created_at = created_at - make_interval(hours => $2)
          where root_id = $1`,
        [agent.id, hours],
      );
    await later(23);
    expect((await ask(agent, 1)).body.error).to.equal('daily_limit_exceeded');
    await later(2);
    expect((await ask(agent, 1)).status).to.equal(200);
  });

  it('counts what failed to the day, and what was cancelled not', async () => {
    const agent = await platform.agent({ usd: 30_000 });
    const first = done(await ask(agent, 10_000));
    const route = `POST /api/v1/admin/withdrawals/${first.withdrawal_id}/review`;
    done(await platform.request(route, { key: OPERATOR_TOKEN, body: { decision: 'deny' } }));
    const second = done(await ask(agent, 10_000));
    expect((await ask(agent, 1)).body.error).to.equal('daily_limit_exceeded');
    const cancel = `POST /api/v1/wallet/withdrawals/${second.withdrawal_id}/cancel`;
    done(await platform.request(cancel, { key: agent.key }));
    expect((await ask(agent, 1)).status).to.equal(200);
  });

  it('keeps what was paid by card for the time in which a bank may take it back', async () => {
    const agent = await platform.agent({ usd: 100 });
    await credit(payment(agent.id, 3_000));
    expect(await walletOf(agent)).to.include({ cash: 3_100, withdrawable: 100, balance: 3_100.5 });
    const { available, obstacles } = await quoteOf(agent, 101);
    expect([available, obstacles]).to.deep.equal([100, ['insufficient_balance']]);
    for (const amount of [101, 1_000, 3_100]) {
      const { body } = await ask(agent, amount);
      expect(body.error).to.equal('insufficient_balance');
      expect(body.details).to.include({ balance: 100, reserved: 3_000, missing: amount - 100 });
      expect(Date.parse(body.details.until) - Date.now()).to.be.within(13 * DAY, 14 * DAY);
    }
    expect(await platform.balance(agent)).to.equal(3_100.5);
    done(await ask(agent, 100));
    expect(await walletOf(agent)).to.include({ cash: 3_000, withdrawable: 0 });
    await age(agent, 13);
    expect(await walletOf(agent)).to.include({ withdrawable: 0 });
    await age(agent, 1);
    expect(await walletOf(agent)).to.include({ withdrawable: 3_000 });
    expect((await ask(agent, 3_000)).status).to.equal(200);
  });

  it('keeps it though it was spent, because the bank would take it back all the same', async () => {
    const agent = await platform.agent();
    await credit(payment(agent.id, 50));
    const product = await platform.product(await platform.agent(), { price: 40 });
    const body = { product_id: product.id };
    done(await platform.request('POST /api/v1/orders', { key: agent.key, body }));
    await platform.fund(agent.id, 45);
    const { cash } = await walletOf(agent);
    expect(await walletOf(agent)).to.include({ withdrawable: cash - 50 });
    expect((await ask(agent, cash - 50 + 0.01)).body.error).to.equal('insufficient_balance');
  });

  it('keeps it half as long of a tree that has paid by card for long, and never took back', async () => {
    const [known, other] = [await platform.agent(), await platform.agent()];
    const takenBack = payment(other.id, 10);
    await credit(payment(known.id, 10));
    await credit(takenBack);
    await reverse(takenBack, 10);
    for (const agent of [known, other]) {
      await age(agent, 91);
      await credit(payment(agent.id, 20));
      await age(agent, 8);
    }
    expect(await walletOf(known)).to.include({ cash: 30, withdrawable: 30 });
    expect(await walletOf(other)).to.include({ cash: 20, withdrawable: 0 });
  });
});

const DAY = 86_400_000;
