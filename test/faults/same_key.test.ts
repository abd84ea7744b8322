import { expect } from 'chai';

import { eventually, type House, type Reply } from '../harness.ts';
import { child, endChildren, openHouse } from './children.ts';
import { buy, buyPatiently, loseBatch, openMarket } from './market.ts';
import { prove, recorded, type Market } from './market.ts';

const TIMES = 50;

describe('one Idempotency-Key', function () {
  this.timeout(120_000);

  let house: House;
  let market: Market;
  beforeEach(async () => {
    house = await openHouse({ workers: false });
    market = await openMarket(house);
  });
  afterEach(async () => {
    await endChildren();
    await house.close();
  });

  /** The same purchase by REST and, every other time, by MCP: what each was told. */
  const fiftyTimes = (key: string) =>
    Promise.all(
      Array.from({ length: TIMES }, async (_, n) => {
        if (n % 2 === 0) return (await buyPatiently(house, market, { key }))!.text;
        const params = { product_id: market.product.id, quantity: 1, idempotency_key: key };
        const ask = () =>
          house.request('POST /api/v1/mcp/call', {
            key: market.buyer.key,
            body: { tool: 'purchase_product', params: { ...params, wait: 25 } },
          });
        const isPending = ({ body }: Reply) => body.structuredContent.status === 'pending';
        const { body } = await eventually(ask, (reply) => !isPending(reply));
        return body.content[0].text as string;
      }),
    );

  it('fifty times at once, by both doors, is one charge and fifty equal answers', async () => {
    await house.resumeWorkers();
    const told = new Set(await fiftyTimes('fifty'));
    expect(told.size).to.equal(1);
    expect(JSON.parse([...told][0]!)).to.include({ status: 'escrow', total_due: 0.011 });
    expect(await house.balance(market.buyer)).to.be.closeTo(100.5 - 0.011, 1e-9);
    await prove(house, 1);
  });

  it('is that too when the worker is killed before COMMIT', async () => {
    const told = fiftyTimes('killed');
    const env = { CRASH_AT: 'W4', CRASH_AT_JOB: await recorded(house) };
    await loseBatch(house); // What comes from the dispatcher is done step by step.
    const worker = await child(house, 'test/faults/worker.ts', env);
    expect(await worker.ended).to.equal('SIGKILL');
    await house.resumeWorkers();
    expect(new Set(await told).size).to.equal(1);
    expect(await house.balance(market.buyer)).to.be.closeTo(100.5 - 0.011, 1e-9);
    await prove(house, 1);
  });

  it('with another input is a conflict and no charge; with another agent another call', async () => {
    await house.resumeWorkers();
    const first = await buy(house, market, { key: 'shared' });
    const other = await buy(house, market, { key: 'shared', quantity: 2 });
    expect(other?.status).to.equal(422);
    expect(other?.body.error).to.equal('idempotency_conflict');
    expect(await house.balance(market.buyer)).to.be.closeTo(100.5 - 0.011, 1e-9);

    const buyer = await house.agent({ usd: 1 });
    const theirs = await buy(house, { ...market, buyer }, { key: 'shared' });
    expect(theirs?.status).to.equal(200);
    expect(theirs?.body.order_id).not.to.equal(first?.body.order_id);
    await prove(house, 2);
  });

  it('is not bound by a refusal for want of money, however many heard it', async () => {
    await house.resumeWorkers();
    const buyer = await house.agent();
    const product = await house.product(market.seller, { price: 3 });
    const calls = Array.from({ length: 10 }, () =>
      buy(house, { buyer, product }, { key: 'later' }),
    );
    for (const reply of await Promise.all(calls)) {
      expect(reply?.status).to.equal(402);
      expect(reply?.body.error).to.equal('insufficient_balance');
    }
    expect(await house.balance(buyer)).to.equal(0.5);
    await house.fund(buyer.id, 10);
    const bought = await buy(house, { buyer, product }, { key: 'later' });
    expect(bought?.status).to.equal(200);
    expect((await buy(house, { buyer, product }, { key: 'later' }))?.text).to.equal(bought?.text);
    await prove(house, 1);
  });
});
