import { getAddress } from 'ethers';
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { childOf } from '../agents/child.ts';
import { railOf } from '../deposits/paid_in.ts';
import { TestPlatform } from '../harness.ts';
import { openPool, judge, labor, unitsOf, work } from '../labor/pool.ts';
import { runTimer } from '../orders/trade.ts';
import * as tasks from '../tasks/board.ts';
import { done } from '../tasks/board.ts';
import { chargesOf } from '../wallet/charges.ts';
import { payWithoutChain } from '../withdrawals/pay_without_chain.ts';
import { rollUp } from '../wallet/reports/roll_up.ts';
import { hashOf, issueReceipts, receiptOf, receiptsOf, verified } from './receipt_book.ts';

describe('receipts of other deals', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    await issueReceipts(platform);
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });
  const { callOf, pay, refund } = chargesOf(() => platform);
  const rail = railOf(() => platform);

  it('are there for tasks and labor', async () => {
    const job = await tasks.openJob(platform);
    await tasks.hire(platform, job);
    const result = 'It is the Baltic.';
    await tasks.submit(platform, { taskId: job.taskId, key: job.worker.key }, result);
    done(await tasks.act(platform, 'approve', { taskId: job.taskId, key: job.poster.key }));
    const unwanted = await tasks.openTask(platform, job.poster);
    done(await tasks.act(platform, 'cancel', { taskId: unwanted, key: job.poster.key }));
    const late = await tasks.openJob(platform);
    await tasks.hire(platform, late);
    await tasks.fallDue(platform, late.taskId);
    await runTimer(platform, 'settle_due_tasks');
    const pool = await openPool(platform, { units: unitsOf('a', 'b', 'c'), reward: 0.1 });
    const { claim_id } = await work(platform, pool.taskId, job.worker, 'cat');
    done(await judge(platform, pool, claim_id, 'accept'));
    done(await labor(platform, 'cancel', { taskId: pool.taskId, key: pool.poster.key }));
    await issueReceipts(platform);

    const done_task = await receiptOf(platform, job.worker, 'task', job.taskId);
    const said = await verified(platform, done_task.receipt);
    expect(said).to.deep.include({
      outcome: 'approved',
      amounts: { paid: 1, to_payee: 0.8, fee: 0, refunded: 0.2 },
    });
    expect(said.item.result_sha256).to.equal(hashOf(result));
    const ended = await receiptOf(platform, job.poster, 'task', unwanted);
    expect(await verified(platform, ended.receipt)).to.deep.include({
      outcome: 'cancelled',
      payee: null,
      amounts: { paid: 1, to_payee: 0, fee: 0, refunded: 1 },
    });
    const expired = await receiptOf(platform, late.poster, 'task', late.taskId);
    expect(await verified(platform, expired.receipt)).to.deep.include({
      outcome: 'expired',
      payee: null,
    });
    const unit = await receiptOf(platform, job.worker, 'labor_unit', claim_id);
    const saidOfUnit = await verified(platform, unit.receipt);
    expect(saidOfUnit).to.deep.include({
      outcome: 'accepted',
      amounts: { paid: 0.1, to_payee: 0.1, fee: 0, refunded: 0 },
    });
    expect(saidOfUnit.item.content_sha256).to.equal(hashOf(`${unit.content_salt}\ncat`));
    const last = (await receiptsOf(platform, pool.poster)).at(-1)!;
    expect(await verified(platform, last.receipt)).to.deep.include({
      kind: 'labor_refund',
      payee: null,
      amounts: { paid: 0, to_payee: 0, fee: 0, refunded: 0.2 },
    });
  });

  it('are there for what comes in, what is taken back, and what goes out', async () => {
    const agent = await platform.agent();
    const payment = rail.payment(agent.id, 5);
    await rail.credit(payment);
    const route = 'POST /api/v1/wallet/withdrawals';
    const ask = async () => {
      const body = { amount: 1, address: `0x${'ab'.repeat(20)}` };
      return done(await platform.request(route, { key: agent.key, body })).withdrawal_id as number;
    };
    await platform.query(
      `update deposit set credited_at = now() - interval '30 days' where root_id = $1`,
      [agent.id],
    );
    const [paid, cancelled] = [await ask(), await ask()];
    await payWithoutChain(platform, paid);
    done(await platform.request(`${route}/${cancelled}/cancel`, { key: agent.key }));
    await rail.reverse(payment, 5);
    await rail.reverse(payment, 0);
    await issueReceipts(platform);
    const chain = await receiptsOf(platform, agent);
    const said = await Promise.all(chain.map(({ receipt }) => verified(platform, receipt)));
    expect(said.map(({ kind, outcome, amounts }) => [kind, outcome, amounts])).to.deep.equal([
      ['deposit', 'credited', { paid: 0, to_payee: 5, fee: 0, refunded: 0 }],
      ['withdrawal', 'paid', { paid: 1, to_payee: 0, fee: 0, refunded: 0 }],
      ['withdrawal', 'cancelled', { paid: 1, to_payee: 0, fee: 0, refunded: 1 }],
      ['reversal', 'reversed', { paid: 5, to_payee: 0, fee: 0, refunded: 0 }],
      ['reversal', 'restored', { paid: 0, to_payee: 5, fee: 0, refunded: 0 }],
    ]);
    expect(said[0]!.item).to.include({ rail: 'card', asset: 'USD', tx_id: payment.txId });
    expect(said[1]!.item).to.include({
      address: getAddress(`0x${'ab'.repeat(20)}`),
      chain_id: 8453,
    });
  });

  it('gather the metered charges of a tree, and what was given back', async () => {
    const agent = await platform.agent({ usd: 5 });
    const child = await childOf(platform, agent);
    await issueReceipts(platform);
    const [{ first }] = await platform.query('select max(id) as first from ledger.transfer');
    const charge = await pay(agent, { units: 3 });
    await pay(child, { units: 2 }, callOf(child, agent.id));
    await pay(agent, { service: 'email' });
    await refund(charge, 'test', 500n);
    await rollUp(platform);
    await platform.query('update receipt_watermark set charged_at = now()');
    await runTimer(platform, 'issue_receipts');
    const kinds = (await receiptsOf(platform, agent)).map(({ kind }) => kind);
    expect(kinds).to.not.include('charges'); // Their hour is not over.
    await issueReceipts(platform);
    const chain = (await receiptsOf(platform, agent)).filter(({ kind }) => kind === 'charges');
    const said = await Promise.all(chain.map(({ receipt }) => verified(platform, receipt)));
    expect(said.map(({ item, amounts }) => [item.service, item.transfers, amounts])).to.deep.equal([
      ['proxy', 3, { paid: 0.005, to_payee: 0, fee: 0, refunded: 0.0005 }],
      ['email', 1, { paid: 0.002, to_payee: 0, fee: 0, refunded: 0 }],
    ]);
    expect(said[0]!.payer!.agent_id).to.equal(agent.id);
    expect(said[0]!.item.first_transfer).to.be.above(Number(first));
  });
});
