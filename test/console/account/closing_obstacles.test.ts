import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { OWNER_PAGES } from '../../../api/console/owner/pages.ts';
import { audit } from '../../../shared/composition/audit.ts';
import { refundCharge } from '../../../shared/domains/wallet/refund_charge.ts';
import { transact } from '../../../shared/platform/database.ts';
import { railOf } from '../../deposits/paid_in.ts';
import { openPool, take } from '../../labor/pool.ts';
import { TestPlatform } from '../../harness.ts';
import { buy } from '../../orders/trade.ts';
import { issue } from '../../tokens/issuer.ts';
import { newAddress, withdraw } from '../../withdrawals/chain.ts';
import { owner, signedIn, type BrowserLike } from '../browser_like.ts';

const PATH = '/console/account/closing';
type Owner = Awaited<ReturnType<typeof owner>>;

/** Each makes the one thing that stands in the way, and returns how to end it. */
const OBSTACLES: readonly {
  readonly what: string;
  readonly shown: string;
  readonly begin: (platform: TestPlatform, of: Owner) => Promise<() => Promise<unknown>>;
}[] = [
  {
    what: 'a withdrawal that was not paid',
    shown: '<strong>$1.50</strong> in withdrawals',
    async begin(platform, { agent }) {
      await platform.fund(agent.id, 1.5);
      const made = await withdraw(platform, agent, { amount: 1.5, address: newAddress() });
      const id = made.body.withdrawal_id as number;
      const cancel = `POST /api/v1/wallet/withdrawals/${id}/cancel`;
      return async () => {
        await platform.request(cancel, { key: agent.key, body: {} });
        return spend(platform, agent);
      };
    },
  },
  {
    what: 'labor that it posted',
    shown: 'in labor',
    async begin(platform, { agent }) {
      const { body } = await platform.request('POST /api/v1/labor?wait=20', {
        key: agent.key,
        body: {
          kind: 'labeling',
          title: 'Cat or dog',
          instructions: 'Answer cat or dog.',
          reward: 0.01,
          units: [{ payload: 'first' }],
        },
      });
      const cancel = `POST /api/v1/labor/${body.task_id}/cancel`;
      return () => platform.request(cancel, { key: agent.key, body: {} });
    },
  },
  {
    what: 'a unit of labor that it took',
    shown: '<strong>$0.01</strong> in labor',
    async begin(platform, { agent }) {
      const { taskId } = await openPool(platform);
      const { claim_id } = await take(platform, taskId, agent);
      const release = `POST /api/v1/labor/${taskId}/release`;
      return () => platform.request(release, { key: agent.key, body: { claim_id } });
    },
  },
  {
    what: 'a payment by chain that is not final',
    shown: '<strong>$7.00</strong> in payments on their way',
    async begin(platform, { agent }) {
      const tx = randomUUID();
      await platform.query(
        `insert into deposit (rail, network, tx_id, tx_index, status, waits_for, look_at, asset,
                              amount, usd, agent_id, root_id, sender, recipient, position, paid_at,
                              bound_by)
         values ('base', 'sandbox', $1, 0, 'detected', 'It is not final.', 'infinity', 'USDC',
                 7000000, 7000000, $2, $2, '0x1', '0x2', 1, now(), 'reference')`,
        [tx, agent.id],
      );
      return () =>
        platform.query(
          `update deposit set status = 'rejected', look_at = null, waits_for = 'It was undone.'
            where tx_id = $1`,
          [tx],
        );
    },
  },
  {
    what: 'a payment page of Stripe that can still be paid',
    shown: '<strong>$9.00</strong> in payments on their way',
    async begin(platform, { agent }) {
      const id = randomUUID();
      await platform.query(
        `insert into card_payment (id, agent_id, root_id, amount, saves_card, session_id)
         values ($1, $2, $2, 9000000, false, $3)`,
        [id, agent.id, `cs_${id}`],
      );
      return () =>
        platform.query(
          `update card_payment set created_at = now() - interval '25 hours' where id = $1`,
          [id],
        );
    },
  },
  {
    what: 'a debt',
    shown: 'that you owe',
    async begin(platform, { agent }) {
      const rail = railOf(() => platform);
      const paid = rail.payment(agent.id, 3);
      await rail.credit(paid);
      await spend(platform, agent);
      await rail.reverse(paid, 3);
      return () => rail.reverse(paid, 0);
    },
  },
  {
    what: 'a token that is not issued yet',
    shown: 'in tokens that are being issued',
    async begin(platform, { agent }) {
      await platform.fund(agent.id, 0.5);
      const id = (await issue(platform, agent)).body.asset_id as number;
      return () => failToken(platform, id);
    },
  },
];

/** A token that its network did not take: its fee is back. */
async function failToken({ context }: TestPlatform, id: number): Promise<void> {
  const { database, config } = context;
  await transact(database, async (db) => {
    await db.query(
      `with signed as (
         insert into token_transaction (token_id, attempt, tx_id, bytes, last_valid)
         values ($1, 1, repeat('A', 52), 'AA==', 100))
       update token set status = 'failed', failure = 'A test.', closed_at = now()
        where id = $1`,
      [id],
    );
    const sql = 'select charge_id::int as "chargeId" from token where id = $1';
    const [{ chargeId }] = await db.query(sql, [id]);
    await refundCharge({ db, config }, { chargeId, cause: `token:${id}`, amount: 1_000_000n });
  });
}

/** Spends all cash of an agent in an order that is paid at once. */
async function spend(platform: TestPlatform, agent: Owner['agent']): Promise<void> {
  const { cash } = (await platform.request('GET /api/v1/wallet', { key: agent.key })).body;
  if (cash < 1) return;
  const seller = await platform.agent();
  const price = Math.floor((cash / 1.1) * 100) / 100;
  const product = await platform.product(seller, { price, accepts_credit: false });
  const id = await buy(platform, agent, product);
  await platform.request(`POST /api/v1/orders/${id}/confirm`, { key: agent.key, body: {} });
}

describe('what stands in the way of closing an account', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const close = (browser: BrowserLike, { username }: { username: string }) =>
    browser.post(PATH, { name: username });

  for (const { what, shown, begin } of OBSTACLES) {
    it(`is ${what}: it is named with a page, and nothing is closed until it has ended`, async () => {
      const one = await owner(platform);
      const { browser, agent } = one;
      const end = await begin(platform, one);
      const page = await browser.get(PATH);
      expect(page.text).to.include(shown).and.not.include('name="name"');
      const [, path] = page.text.split(shown)[1]!.match(/<a href="([^"]*)"/)!;
      expect(OWNER_PAGES.map((shownPage) => shownPage.path)).to.include(path);
      const refused = await close(browser, agent);
      expect(refused.status, refused.text).to.equal(409);
      expect(refused.text).to.include('Nothing was changed').and.include(shown);
      expect((await signedIn(platform, agent)).cookies.has('session')).to.equal(true);
      await end();
      const closed = await close(browser, agent);
      expect(closed.status, closed.text).to.equal(200);
    });
  }

  it('is cash that a bank may take back, with the day from which it can leave', async () => {
    const { browser, agent } = await owner(platform);
    const rail = railOf(() => platform);
    await rail.credit(rail.payment(agent.id, 4));
    const { text } = await browser.get(PATH);
    expect(text).to.include('<strong>$4.00</strong> in your wallet');
    expect(text).to.include('$4.00 of it may still be taken back by a bank');
    await platform.fund(agent.id, 2);
    expect((await browser.get(PATH)).text).to.include('$4.00 of it may still');
  });
});
