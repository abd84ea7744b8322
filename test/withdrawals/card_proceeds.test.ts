import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { asOwner } from '../as_owner.ts';
import { railOf } from '../deposits/paid_in.ts';
import { TestPlatform } from '../harness.ts';
import { buy, runTimer } from '../orders/trade.ts';
import { faultsOf } from '../platform/production_settings.ts';
import { done } from '../tasks/board.ts';
import { newAddress, withdraw } from './chain.ts';

describe('money by card that another tree was paid', () => {
  let platform: TestPlatform;
  const { payment, credit, reverse } = railOf(() => platform);
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  type Agent = Awaited<ReturnType<TestPlatform['agent']>>;
  const walletOf = async ({ key }: Agent) =>
    done(await platform.request('GET /api/v1/wallet', { key }));
  const confirm = (order: number, { key }: Agent) =>
    platform.request(`POST /api/v1/orders/${order}/confirm`, { key });

  /** A buyer pays a seller, who has it at once. Credit pays nothing, so all of it is cash. */
  async function pay(buyer: Agent, seller: Agent, price: number): Promise<void> {
    const product = await platform.product(seller, { price, accepts_credit: false });
    done(await confirm(await buy(platform, buyer, product), buyer));
  }

  async function payer(usd: number): Promise<Agent> {
    const agent = await platform.agent();
    await credit(payment(agent.id, usd));
    return agent;
  }

  /** Makes this tree older: registered, and paid, so many days earlier. */
  const age = async ({ id }: Agent, days: number) => {
    const earlier = (column: string) => `set ${column} = ${column} - interval '${days} days'`;
    await asOwner(
      platform,
      `update card_proceeds ${earlier('paid_at')} where root_id = ${id};
       update deposit ${earlier('credited_at')} where root_id = ${id};
       update agent ${earlier('created_at')} where id = ${id}`,
    );
  };

  it('is kept back there too, also where it is passed on', async () => {
    const [buyer, puppet, second] = [
      await payer(110),
      await platform.agent(),
      await platform.agent(),
    ];
    await pay(buyer, puppet, 100);
    await platform.fund(puppet.id, 7);
    expect(await walletOf(puppet)).to.include({ cash: 107, withdrawable: 7 });

    const { body } = await withdraw(platform, puppet, { amount: 8, address: newAddress() });
    expect(body.error).to.equal('insufficient_balance');
    expect(body.details).to.include({ balance: 7, reserved: 100, missing: 1 });
    expect(Date.parse(body.details.until) - Date.now()).to.be.within(13 * DAY, 14 * DAY);
    expect(await walletOf(puppet)).to.include({ cash: 107 });

    await pay(puppet, second, 50);
    expect(await walletOf(second)).to.include({ cash: 50, withdrawable: 0 });
    await age(second, 14);
    expect(await walletOf(second)).to.include({ cash: 50, withdrawable: 50 });
  });

  it('is kept back up to what its payer has by card, of each payer', async () => {
    const [seller, little, none] = [
      await platform.agent(),
      await payer(10),
      await platform.agent(),
    ];
    await platform.fund(little.id, 100);
    await platform.fund(none.id, 100);
    await pay(little, seller, 50);
    await pay(none, seller, 30);
    expect(await walletOf(seller)).to.include({ cash: 80, withdrawable: 70 });
  });

  it('is kept back no longer than from its payer, counted from the payment by card', async () => {
    const [buyer, seller] = [await payer(20), await platform.agent()];
    await age(buyer, 10);
    await pay(buyer, seller, 10);
    const { body } = await withdraw(platform, seller, { amount: 10, address: newAddress() });
    expect(body.details).to.include({ balance: 0, reserved: 10 });
    expect(Date.parse(body.details.until) - Date.now()).to.be.within(3 * DAY, 4 * DAY);
    await age(buyer, 4);
    expect(await walletOf(seller)).to.include({ cash: 10, withdrawable: 10 });
  });

  it('is free for a tree of 90 days, of which nothing was taken back', async () => {
    const [known, other, buyer] = [await platform.agent(), await platform.agent(), await payer(50)];
    const takenBack = payment(other.id, 1);
    await credit(takenBack);
    await reverse(takenBack, 1);
    for (const seller of [known, other]) {
      await age(seller, 91);
      await pay(buyer, seller, 20);
    }
    expect(await walletOf(known)).to.include({ cash: 20, withdrawable: 20 });
    expect(await walletOf(other)).to.include({ cash: 20, withdrawable: 0 });
  });

  it('is noted for 180 days, the longest time for which it may be kept back', async () => {
    const [buyer, seller] = [await payer(20), await platform.agent()];
    await pay(buyer, seller, 10);
    const notes = async () =>
      (await platform.query('select from card_proceeds where root_id = $1', [seller.id])).length;
    await age(seller, 179);
    await runTimer(platform, 'forget_old_rows');
    expect(await notes()).to.equal(1);
    await age(seller, 2);
    await runTimer(platform, 'forget_old_rows');
    expect(await notes()).to.equal(0);
    expect(faultsOf({ WITHDRAWAL_CARD_DAYS: '180' })).to.deep.equal([]);
    expect(faultsOf({ WITHDRAWAL_CARD_DAYS: '181' }).join()).to.include('WITHDRAWAL_CARD_DAYS');
  });

  it('is kept back of work too, and not of what comes back to its payer', async () => {
    const [poster, worker, seller] = [
      await payer(20),
      await platform.agent(),
      await platform.agent(),
    ];
    const { task_id } = done(
      await platform.request('POST /api/v1/tasks', {
        key: poster.key,
        body: { title: 'Name a sea', budget: 5 },
      }),
    );
    const route = `POST /api/v1/tasks/${task_id}`;
    done(await platform.request(`${route}/submit`, { key: worker.key, body: { result: 'Aral' } }));
    done(await platform.request(`${route}/approve`, { key: poster.key }));
    const { cash } = await walletOf(worker);
    expect(cash).to.be.above(0); // the rest was credit
    expect(await walletOf(worker)).to.include({ withdrawable: 0 });

    const before = await walletOf(poster);
    const product = await platform.product(seller, { price: 1, accepts_credit: false });
    const order = await buy(platform, poster, product);
    done(await platform.request(`POST /api/v1/orders/${order}/refund`, { key: seller.key }));
    expect(await walletOf(poster)).to.include({ withdrawable: before.withdrawable });
  });
});

const DAY = 86_400_000;
