import { getAddress } from 'ethers';
import { expect } from 'chai';

import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { done } from '../../tasks/board.ts';
import { ADA, inUnclaimed } from './scene.ts';

describe('payments of nobody in careless hands', () => {
  const scene = inUnclaimed();

  it('end the claims on them when they are credited by a link, as by operators', async () => {
    const [payer, other] = [await scene.base.platform.agent(), await scene.base.platform.agent()];
    const { txId, from } = await scene.payNameless(2_000_000n, 1);
    for (const agent of [payer, other]) done(await scene.claim(agent, txId));
    await scene.watched.linkPayer(payer, from);
    expect(await scene.watched.cashOf(payer)).to.equal(2);
    expect((await scene.claimsOf(payer))[0]).to.include({ status: 'accepted', note: null });
    expect((await scene.claimsOf(other))[0]).to.include({
      status: 'refused',
      note: 'It was paid by another.',
    });
  });

  it('keep their claims when an operator refuses and names an agent', async () => {
    const agents = [await scene.base.platform.agent(), await scene.base.platform.agent()];
    const { txId, payment } = await scene.payNameless(1_000_000n);
    for (const agent of agents) done(await scene.claim(agent, txId));
    const id = payment.deposit_id as number;
    for (const [field, body] of [
      ['agent_id', { decision: 'refuse', agent_id: agents[0]!.id }],
      ['return_tx_id', { decision: 'credit', agent_id: agents[0]!.id, return_tx_id: txId }],
      ['agent_id', { decision: 'return', agent_id: agents[0]!.id, return_tx_id: txId }],
      ['return_address', { decision: 'refuse', return_address: payment.sender }],
    ] as const) {
      const { status, body: answer } = await scene.decide(id, ADA, body);
      expect([status, answer.error, answer.details?.fields?.[0]?.pointer]).to.deep.equal([
        422,
        'validation_error',
        `/${field}`,
      ]);
    }
    for (const agent of agents) {
      expect((await scene.claimsOf(agent))[0]).to.include({ status: 'open' });
    }
    expect((await scene.listed(`deposit_id=${id}`)).payments[0].decision).to.equal(null);
  });

  it('are found by what people paste', async () => {
    const { txId, payment } = await scene.payNameless(3_000_000n);
    for (const query of [
      `tx_id=${encodeURIComponent(` https://basescan.org/tx/${txId}#eventlog `)}`,
      `tx_id=${txId.slice(2).toUpperCase()}&rail=base`,
      `sender=${getAddress(payment.sender)}&min_usd=3&max_usd=3`,
      `sender=%20${payment.sender}%20&rail=base&min_usd=3&max_usd=3`,
    ]) {
      const { payments } = await scene.listed(query);
      const ids = payments.map(({ tx_id }: { tx_id: string }) => tx_id);
      expect(ids, query).to.deep.equal([txId]);
    }
    for (const query of [`tx_id=${txId.slice(0, 60)}`, `tx_id=${txId}&rail=algorand`]) {
      const fault = await scene.listed(query).catch((error: Error) => error);
      expect(String(fault), query).to.contain('422');
    }
  });

  it('are worth nothing, and not unknown, where they are dust', async () => {
    const txId = await scene.base.coin(scene.base.recipient, 1n);
    await scene.base.finalize();
    await scene.watched.searchToEnd();
    const [dust] = (await scene.listed(`tx_id=${txId}&max_usd=1`)).payments;
    expect(dust).to.include({ status: 'unclaimed', amount: '1', usd: 0 });
    const { id } = await scene.base.platform.agent();
    const credit = { decision: 'credit', agent_id: id };
    done(await scene.decide(dust.deposit_id, ADA, credit));
    const { status, body } = await scene.decide(dust.deposit_id, OPERATOR_TOKEN, credit);
    expect([status, body.error]).to.deep.equal([409, 'invalid_transition']);
    expect(body.message).to.contain('nothing to credit');
  });

  it('lie in the router after a transfer without a call, and the payer is told so', async () => {
    const agent = await scene.base.platform.agent();
    const txId = await scene.base.usdc(scene.base.router, 3_000_000n);
    await scene.base.finalize();
    const { status, body } = await scene.watched.verify(agent, txId);
    expect([status, body.error]).to.deep.equal([422, 'deposit_invalid']);
    expect(body.message).to.contain('sweep(token)').and.to.contain('claim_deposit');
    const swept = await scene.base.sweepRouter();
    await scene.base.finalize();
    await scene.watched.searchToEnd();
    const [claim] = done(await scene.claim(agent, swept)).claims;
    expect(claim).to.include({ status: 'open', usd: 3 });
  });
});
