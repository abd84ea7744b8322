import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import { TestPlatform } from '../harness.ts';
import { done } from '../tasks/board.ts';
import { newAddress, openChain, untilClosed, withdraw, type Chain } from './chain.ts';

const ADA = 'the-token-of-ada-that-is-long-enough';

describe('a withdrawal above the sum that one operator may approve', () => {
  let chain: Chain;
  let platform: TestPlatform;
  before(async () => {
    chain = await openChain({ usd: 20_000 });
    const env = { ...chain.env, WITHDRAWAL_SECOND_OPERATOR_ABOVE: '3000' };
    platform = await TestPlatform.open({ env: { ...env, OPERATOR_TOKENS: `ada:${ADA}` } });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
    await chain.evm.close();
  });

  const ask = async (amount: number) => {
    const agent = await platform.agent({ usd: 5_000 });
    const made = done(await withdraw(platform, agent, { amount, address: newAddress() }));
    return { agent, id: made.withdrawal_id as number };
  };
  const decide = (id: number, key: string, decision = 'approve') =>
    platform.request(`POST /api/v1/admin/withdrawals/${id}/review`, { key, body: { decision } });
  const listed = async (id: number) => {
    const { body } = await platform.request('GET /api/v1/admin/withdrawals', {
      key: OPERATOR_TOKEN,
    });
    return body.withdrawals.find((one: { withdrawal_id: number }) => one.withdrawal_id === id);
  };

  it('is paid when two have approved it, and not when one has, however often', async () => {
    const { id } = await ask(3_001);
    const first = done(await decide(id, ADA));
    expect(first).to.include({ status: 'requested', needs_second: true });
    expect(await listed(id)).to.include({ review: 'pending', approved_by: 'ada' });
    const again = await decide(id, ADA);
    expect([again.status, again.body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(await listed(id)).to.include({ review: 'pending' });
    expect(done(await decide(id, OPERATOR_TOKEN))).to.include({ needs_second: false });
    expect((await untilClosed(platform, chain, id)).status).to.equal('paid');
  });

  it('may be denied by the second, and by the first', async () => {
    for (const key of [OPERATOR_TOKEN, ADA]) {
      const { agent, id } = await ask(3_001);
      done(await decide(id, ADA));
      expect(done(await decide(id, key, 'deny'))).to.include({ status: 'failed' });
      expect(await platform.balance(agent)).to.equal(5_000.5);
    }
  });

  it('is denied by nobody once it was approved, nor approved once it was denied', async () => {
    for (const [decision, other] of [
      ['approve', 'deny'],
      ['deny', 'approve'],
    ] as const) {
      const { id } = await ask(3_000);
      const later = `update withdrawal set not_before = now() + interval '1 day' where id = $1`;
      await platform.query(later, [id]);
      done(await decide(id, ADA, decision));
      const changed = await decide(id, OPERATOR_TOKEN, other);
      expect([changed.status, changed.body.error]).to.deep.equal([409, 'invalid_transition']);
    }
  });

  it('is approved once by two that decide at once, and up to the sum by one', async () => {
    const { id } = await ask(4_000);
    const both = await Promise.all([decide(id, ADA), decide(id, OPERATOR_TOKEN)]);
    expect(both.map(({ body }) => body.needs_second)).to.have.members([false, true]);
    const { id: small } = await ask(3_000);
    expect(done(await decide(small, ADA))).to.include({ needs_second: false });
  });

  it('is approved by one where there is no other', async () => {
    const env = { ...chain.env, WITHDRAWAL_SECOND_OPERATOR_ABOVE: '3000' };
    const alone = await TestPlatform.open({ env });
    const agent = await alone.agent({ usd: 5_000 });
    const made = done(await withdraw(alone, agent, { amount: 4_000, address: newAddress() }));
    const route = `POST /api/v1/admin/withdrawals/${made.withdrawal_id}/review`;
    const asked = { key: OPERATOR_TOKEN, body: { decision: 'approve' } };
    expect(done(await alone.request(route, asked))).to.include({ needs_second: false });
    await alone.close();
  });
});
