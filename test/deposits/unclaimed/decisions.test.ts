import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { done } from '../../tasks/board.ts';
import { newAddress } from '../evm/payer.ts';
import { ADA, inUnclaimed } from './scene.ts';

describe('decisions about payments of nobody', () => {
  const scene = inUnclaimed();

  it('are claimed with a statement, and credited when two operators say so', async () => {
    const [agent, other] = [await scene.base.platform.agent(), await scene.base.platform.agent()];
    const { txId, payment } = await scene.payNameless(5_000_000n);
    const id = payment.deposit_id as number;
    const unknown = await scene.claim(agent, `0x${'ab'.repeat(32)}`);
    expect([unknown.status, unknown.body.error]).to.deep.equal([404, 'not_found']);
    const tools = ({ body }: typeof unknown) =>
      body.next_actions.map(({ tool }: { tool: string }) => tool);
    expect(tools(unknown)).to.include('evm_verify');
    const elsewhere = await scene.claim(agent, txId, { rail: 'arbitrum' });
    expect(elsewhere.body).to.deep.include({ error: 'not_found', details: { rail: 'base' } });
    expect(tools(elsewhere)).to.include('claim_deposit');
    const link = `https://basescan.org/tx/${txId}?utm=1`;
    const [made] = done(await scene.claim(agent, link)).claims;
    expect(made).to.include({ deposit_id: id, tx_id: txId, usd: 5, status: 'open', note: null });
    expect(done(await scene.claim(agent, txId)).claims).to.deep.equal([made]);
    done(await scene.claim(other, txId));
    const { claims } = (await scene.listed(`tx_id=${txId}&waiting=true`)).payments[0];
    expect(claims.map(({ agent_id }: { agent_id: number }) => agent_id)).to.deep.equal([
      agent.id,
      other.id,
    ]);
    expect(claims[0].statement).to.deep.equal({ untrusted: true, content: scene.statement });

    const credit = { decision: 'credit', agent_id: agent.id };
    expect(done(await scene.decide(id, ADA, credit))).to.include({
      status: 'unclaimed',
      needs_second: true,
    });
    const again = await scene.decide(id, ADA, credit);
    expect([again.status, again.body.error]).to.deep.equal([409, 'invalid_transition']);
    // Another agent is another decision, which needs two as well.
    const changed = done(await scene.decide(id, OPERATOR_TOKEN, { ...credit, agent_id: other.id }));
    expect(changed.needs_second).to.equal(true);
    done(await scene.decide(id, OPERATOR_TOKEN, credit));
    expect(await scene.watched.cashOf(agent)).to.equal(0);
    expect(done(await scene.decide(id, ADA, credit))).to.include({
      status: 'credited',
      needs_second: false,
    });
    expect([await scene.watched.cashOf(agent), await scene.watched.cashOf(other)]).to.deep.equal([
      5, 0,
    ]);
    expect((await scene.claimsOf(agent))[0]).to.include({ status: 'accepted', note: null });
    expect((await scene.claimsOf(other))[0]).to.include({ status: 'refused' });
    const over = await scene.decide(id, OPERATOR_TOKEN, credit);
    expect([over.status, over.body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(await scene.watched.cashOf(agent)).to.equal(5);
  });

  it('are paid back by a transaction that the network shows, and never credited then', async () => {
    const giveBack = (to: string, amount: bigint) =>
      scene.base.usdc(to, amount).then(async (hash) => {
        await scene.base.finalize();
        return { decision: 'return', return_tx_id: hash };
      });
    const before = await scene.liability();
    const earlier = await giveBack(await scene.accountOf(2), 4_000_000n);
    const { txId, payment, from } = await scene.payNameless(4_000_000n, 2);
    const id = payment.deposit_id as number;
    const wrong = [
      earlier,
      await giveBack(newAddress(), 4_000_000n),
      await giveBack(from, 4_000_001n),
    ];
    for (const decision of wrong) {
      const refused = await scene.decide(id, ADA, decision);
      expect([refused.status, refused.body.error]).to.deep.equal([422, 'deposit_invalid']);
    }
    const unknown = { decision: 'return', return_tx_id: `0x${'cd'.repeat(32)}` };
    expect((await scene.decide(id, ADA, unknown)).body.error).to.equal('transaction_unknown');
    const second = await scene.payNameless(4_000_000n);
    const right = await giveBack(from, 3_900_000n);
    expect(done(await scene.decide(id, ADA, right))).to.include({ needs_second: true });
    expect(done(await scene.decide(id, OPERATOR_TOKEN, right))).to.include({ status: 'returned' });
    expect(await scene.liability()).to.equal(before + 4);

    const agent = await scene.base.platform.agent();
    await scene.watched.linkPayer(agent, from);
    expect((await scene.watched.verify(agent, txId)).body.error).to.equal('deposit_invalid');
    expect(
      (await scene.watched.depositsOf(agent)).map(({ tx_id }: { tx_id: string }) => tx_id),
    ).not.to.include(txId);
    // One transfer returns one payment.
    const reused = await scene.decide(second.payment.deposit_id, ADA, {
      ...right,
      return_address: from,
    });
    expect([reused.status, reused.body.error]).to.deep.equal([409, 'invalid_transition']);
  });

  it('wait for two operators above a sum, and say so', async () => {
    const agent = await scene.base.platform.agent();
    const txId = await scene.base.byRouter(await scene.watched.referenceOf(agent), {
      usdc: 1_000_000_001n,
    });
    await scene.base.finalize();
    await scene.watched.searchToEnd();
    const { body } = await scene.watched.verify(agent, txId);
    expect(body).to.include({ status: 'held', usd: null });
    expect(body.reason).to.contain('operators');
    expect(await scene.watched.cashOf(agent)).to.equal(0);
    const credit = { decision: 'credit', agent_id: agent.id };
    done(await scene.decide(body.deposit_id, ADA, credit));
    expect(await scene.watched.cashOf(agent)).to.equal(0);
    done(await scene.decide(body.deposit_id, OPERATOR_TOKEN, credit));
    expect(await scene.watched.cashOf(agent)).to.equal(1_000.000001);
  });

  it('are claimed by a tree five at a time, and one again three times', async () => {
    const agent = await scene.base.platform.agent();
    const { txId, payment } = await scene.payNameless(1_000_000n);
    for (let n = 0; n < 3; n += 1) {
      done(await scene.claim(agent, txId));
      const evidence = 'The exchange says that another customer sent it.';
      done(await scene.decide(payment.deposit_id, ADA, { decision: 'refuse', evidence }));
      expect((await scene.claimsOf(agent))[0]).to.include({ status: 'refused', note: evidence });
    }
    const fourth = await scene.claim(agent, txId);
    expect([fourth.status, fourth.body.error]).to.deep.equal([409, 'invalid_transition']);
    const told = await scene.base.platform.query(
      `select count(*)::int as n from event where agent_id = $1 and type = 'deposit.claim_refused'`,
      [agent.id],
    );
    expect(told).to.deep.equal([{ n: 3 }]);
    const more = [];
    for (let n = 0; n < 6; n += 1)
      more.push((await scene.payNameless(1_000_000n + BigInt(n))).txId);
    const claimed = [];
    for (const one of more) claimed.push((await scene.claim(agent, one)).status);
    expect(claimed).to.deep.equal([200, 200, 200, 200, 200, 409]);
  });

  it('are credited once, by the link or by operators, whichever comes first', async () => {
    const [agent, other] = [await scene.base.platform.agent(), await scene.base.platform.agent()];
    const { payment, from } = await scene.payNameless(7_000_000n, 3);
    const id = payment.deposit_id as number;
    const credit = { decision: 'credit', agent_id: other.id };
    done(await scene.decide(id, ADA, credit));
    await Promise.all([
      scene.watched.linkPayer(agent, from),
      scene.decide(id, OPERATOR_TOKEN, credit),
    ]);
    const cash = [await scene.watched.cashOf(agent), await scene.watched.cashOf(other)];
    const [row] = await scene.base.platform.query(
      'select status, usd::int from deposit where id = $1',
      [id],
    );
    expect(row).to.deep.equal({ status: 'credited', usd: 7_000_000 });
    expect(cash.toSorted((a, b) => a - b)).to.deep.equal([0, 7]);
  });
});
