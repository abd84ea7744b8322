import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { transact } from '../../shared/platform/database.ts';
import { audit } from '../../shared/kernel/audit.ts';
import { operation } from '../../shared/kernel/operation.ts';
import { perform } from '../../shared/kernel/perform.ts';
import type { Refusal } from '../../shared/kernel/refusal.ts';
import { Input, OneOf, Output, Type } from '../../shared/kernel/schema.ts';
import { assertChargeable, charge, refundCharge } from '../../shared/wallet/charge.ts';
import { childOf } from '../agents/child.ts';
import { TestPlatform } from '../harness.ts';

interface Agent {
  readonly id: number;
  readonly key: string;
}

const frame = {
  title: 'A test',
  summary: 'A test.',
  access: 'any',
  mode: 'write',
  domain: 'wallet',
  input: Input({ service: OneOf(['proxy', 'email'], 'Which.'), units: Type.Integer() }),
  output: Output({ id: Type.String() }),
} as const;

/** A call that is charged for and does nothing else. */
const pays = operation({
  ...frame,
  name: 'pays',
  handle: async (tx, metered) => ({ id: (await charge(tx, metered)).id }),
});
const looks = operation({
  ...frame,
  name: 'looks',
  mode: 'read',
  handle: async (tx, metered) => {
    await assertChargeable(tx, metered);
    return { id: '' };
  },
});

describe('metered charges', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open({ workers: false });
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const callOf = (agent: Agent, rootId = agent.id, key: string = randomUUID()) => ({
    caller: { agentId: agent.id, rootId, keyId: 0, scopes: [] },
    key,
    now: platform.context.clock.now(),
    requestId: 'test',
  });
  const pay = async (
    agent: Agent,
    { service = 'proxy', units = 1 }: { service?: 'proxy' | 'email'; units?: number } = {},
    call = callOf(agent),
  ) => {
    const outcome = await perform(platform.context, pays, { service, units }, call);
    return (outcome!.body as { id: string }).id;
  };
  const codeOf = (error: Refusal) => error.code;
  const refund = (chargeId: string, cause: string, amount: bigint) =>
    transact(platform.context.database, (db) => refundCharge(db, { chargeId, cause, amount }));
  const wallet = async ({ key }: Agent) =>
    (await platform.request('GET /api/v1/wallet', { key })).body;
  const newest = async ({ key }: Agent) =>
    (await platform.request('GET /api/v1/wallet/statement?limit=1', { key })).body.entries[0];
  const limit = ({ id }: Agent, column: string, value: unknown) =>
    platform.query(`insert into policy (agent_id, ${column}) values ($1, $2)`, [id, value]);

  it('take the price of each unit, credit first, and say so in wallet and statement', async () => {
    const agent = await platform.agent({ usd: 1 });
    const first = await pay(agent, { units: 100 });
    expect(await wallet(agent)).to.include({ balance: 1.4, credit: 0.4, daily_spend: 0.1 });
    expect(await newest(agent)).to.deep.include({
      kind: 'proxy.charge',
      amount: -0.1,
      balance_after: 1.4,
      ref: { kind: 'charge', id: first },
      description: `Proxies, charge ${first}`,
    });
    const second = await pay(agent, { service: 'email' });
    expect(await wallet(agent)).to.include({ balance: 1.398, credit: 0.398, daily_spend: 0.102 });
    expect(await newest(agent)).to.deep.include({
      kind: 'email.charge',
      amount: -0.002,
      ref: { kind: 'charge', id: second },
      description: `Email validation, charge ${second}`,
    });
    await pay(agent, { units: 400 });
    expect(await wallet(agent)).to.include({ balance: 0.998, credit: 0, cash: 0.998 });
    const revenue = await platform.query(
      `select to_id::int as of, sum(credit + cash)::int as micros from ledger.transfer
        where to_account = 'revenue' group by to_id order by to_id`,
    );
    expect(revenue).to.deep.equal([
      { of: 2, micros: 500_000 },
      { of: 3, micros: 2_000 },
    ]);
  });

  it('let exactly 50 of 100 simultaneous calls through where the money is for 50', async () => {
    const agent = await platform.agent();
    await pay(agent, { units: 450 });
    const told = await Promise.all(
      Array.from({ length: 100 }, () => pay(agent).then(() => 'paid', codeOf)),
    );
    expect(told.filter((word) => word === 'paid')).to.have.length(50);
    expect(told.filter((word) => word === 'insufficient_balance')).to.have.length(50);
    expect(await wallet(agent)).to.include({ balance: 0, daily_spend: 0.5 });
  });

  it('let exactly 50 of 100 through where the limit of an owner is for 50', async () => {
    const owner = await platform.agent();
    const children = await Promise.all([childOf(platform, owner), childOf(platform, owner)]);
    await limit(owner, 'daily_spend_limit', 100_000);
    const told = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const child = children[n % 2]!;
        return pay(child, { service: 'email' }, callOf(child, owner.id)).then(() => 'paid', codeOf);
      }),
    );
    expect(told.filter((word) => word === 'paid')).to.have.length(50);
    expect(told.filter((word) => word === 'daily_limit_exceeded')).to.have.length(50);
    expect(await wallet(owner)).to.include({ balance: 0.4, daily_spend: 0.1 });
  });

  it('charge one call once, whoever repeats it', async () => {
    const agent = await platform.agent();
    const call = callOf(agent);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => pay(agent, { units: 10 }, call)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(await wallet(agent)).to.include({ balance: 0.49, daily_spend: 0.01 });
  });

  for (const [code, service, column, value] of [
    ['product_type_not_allowed', 'proxy', 'allowed_product_types', ['api_service']],
    ['product_type_not_allowed', 'email', 'allowed_product_types', ['proxy_service']],
    ['tx_limit_exceeded', 'proxy', 'max_spend_per_tx', 9_999],
    ['daily_limit_exceeded', 'proxy', 'daily_spend_limit', 9_999],
  ] as const) {
    it(`are refused with ${code} for ${service}, with the money as it was`, async () => {
      const owner = await platform.agent();
      const child = await childOf(platform, owner);
      await limit(owner, column, value);
      for (const op of [pays, looks]) {
        const call = callOf(child, owner.id);
        const told = await perform(platform.context, op, { service, units: 10 }, call).catch(
          codeOf,
        );
        expect(told, op.name).to.equal(code);
      }
      expect(await wallet(owner)).to.include({ balance: 0.5, daily_spend: 0 });
    });
  }

  it('tell what is in the way in the order of the interface', async () => {
    const agent = await platform.agent();
    const ask = () => pay(agent, { units: 501 }).catch(codeOf);
    expect(await ask()).to.equal('insufficient_balance');
    await limit(agent, 'daily_spend_limit', 1);
    expect(await ask()).to.equal('daily_limit_exceeded');
    await platform.query('update policy set max_spend_per_tx = 1 where agent_id = $1', [agent.id]);
    expect(await ask()).to.equal('tx_limit_exceeded');
    await platform.query(
      `update policy set allowed_product_types = '{dataset}' where agent_id = $1`,
      [agent.id],
    );
    expect(await ask()).to.equal('product_type_not_allowed');
    await platform.query(`update agent set status = 'suspended' where id = $1`, [agent.id]);
    expect(await ask()).to.equal('agent_suspended');
    expect(await wallet(agent)).to.include({ balance: 0.5, daily_spend: 0 });
  });

  it('look before they cost anything, and take nothing by looking', async () => {
    const agent = await platform.agent();
    const look = (units: number) =>
      perform(platform.context, looks, { service: 'proxy', units }, callOf(agent)).catch(codeOf);
    expect(await look(500)).to.deep.equal({ id: '' });
    expect(await look(501)).to.equal('insufficient_balance');
    expect(await wallet(agent)).to.include({ balance: 0.5, daily_spend: 0 });
  });

  describe('that are given back', () => {
    it('return in the funds they came from, cash first, and free the limits of the day', async () => {
      const agent = await platform.agent({ usd: 1 });
      await pay(agent, { units: 498 });
      const mixed = await pay(agent, { units: 5 }); // $0.002 of credit, $0.003 of cash.
      expect(await wallet(agent)).to.include({ credit: 0, cash: 0.997, daily_spend: 0.503 });
      expect(await refund(mixed, 'unit:1', 1_000n)).to.equal(1_000n);
      expect(await wallet(agent)).to.include({ credit: 0, cash: 0.998, daily_spend: 0.502 });
      const { ref, ...line } = await newest(agent);
      expect(line).to.include({ kind: 'proxy.refund', amount: 0.001, balance_after: 0.998 });
      expect(ref.kind).to.equal('charge_refund');
      expect(await refund(mixed, 'unit:2', 3_000n)).to.equal(3_000n);
      expect(await wallet(agent)).to.include({ credit: 0.001, cash: 1, daily_spend: 0.499 });
    });

    it('return once for one cause, and never more than was taken', async () => {
      const agent = await platform.agent();
      const id = await pay(agent, { units: 3 });
      const same = Array.from({ length: 5 }, () => refund(id, 'unit:7', 1_000n));
      expect((await Promise.all(same)).filter((back) => back > 0n)).to.deep.equal([1_000n]);
      const others = Array.from({ length: 5 }, (_, n) => refund(id, `unit:1${n}`, 1_000n));
      expect((await Promise.all(others)).filter((back) => back > 0n)).to.have.length(2);
      expect(await wallet(agent)).to.include({ balance: 0.5, daily_spend: 0 });
    });

    it('leave the limits of another day alone', async () => {
      const agent = await platform.agent();
      const id = await pay(agent, { units: 10 });
      await platform.query(
        `with moved as (update charge set created_at = created_at - interval '1 day' where id = $1)
         update spend set amount = 0 where agent_id = $2`,
        [id, agent.id],
      );
      await pay(agent, { units: 20 });
      expect(await refund(id, 'unit:1', 10_000n)).to.equal(10_000n);
      expect(await wallet(agent)).to.include({ balance: 0.48, daily_spend: 0.02 });
    });

    it('cannot exceed what was taken, whoever writes the row', async () => {
      const agent = await platform.agent({ usd: 1 });
      await pay(agent, { units: 499 });
      const id = await pay(agent, { units: 2 }); // $0.001 of each funds.
      for (const change of [
        'refunded_credit = 1001',
        'refunded_cash = 1001',
        'refunded_cash = -1',
      ]) {
        const told = await platform
          .query(`update charge set ${change} where id = $1`, [id])
          .catch(codeOf);
        expect(told, change).to.equal('23514');
      }
    });

    it('are not those for email: an answer that was given is kept', async () => {
      const id = await pay(await platform.agent(), { service: 'email' });
      const failed = await refund(id, 'a', 1n).catch((error: Error) => error.message);
      expect(failed).to.equal('only charges for proxies are given back');
    });
  });
});
