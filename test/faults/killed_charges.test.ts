// test:all: workers are killed at each step of a payment or a charge.
import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { DUE_NOW } from '../../shared/jobs/due_at.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { openCardPlatform, type CardPlatform } from '../deposits/card_rig.ts';
import { eventually } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { child, endChildren } from './children.ts';
import { clearRedis } from './market.ts';

describe('a worker that is killed while it charges a saved card', function () {
  this.timeout(120_000);

  const MASTER_KEYS = newMasterKey('charges');
  let card: CardPlatform;
  before(async () => (card = await openCardPlatform({ MASTER_KEYS })));
  afterEach(endChildren);
  after(() => card.close());

  /** A wallet with $1 that is to be charged $10; Stripe could not be asked yet. */
  async function owing() {
    const { platform, control } = card;
    const agent = await platform.agent();
    await card.paid(agent, 1, { save_card: true });
    await card.quiet();
    await platform.request('PUT /api/v1/wallet/auto-recharge', {
      key: agent.key,
      body: { enabled: true, threshold: 2, amount: 10 },
    });
    control.interrupt({ request: 'POST /v1/payment_intents', how: 'disconnected', times: 50 });
    const recharged = runTimer(platform, 'recharge_wallets'); // It ends with the charge.
    const [{ id }] = await eventually(
      () => platform.query(JOB_THAT_FAILED, [agent.id]),
      ({ length }) => length === 1,
    );
    await platform.pauseWorkers();
    control.endInterruptions();
    control.holdEvents(); // They would tell of the charge too.
    return { agent, job: id as string, recharged };
  }

  const charges = () => card.control.charges().filter(({ amount }) => amount === 1_000);
  /** Gives back the work of dead workers, which takes its time otherwise. */
  async function makeDue(job: string) {
    await clearRedis(card.platform);
    await card.platform.query(`update job set run_at = ${DUE_NOW} where id = $1`, [job]);
  }

  for (const [point, when] of [
    ['W1', 'after Stripe has charged it'],
    ['W4', 'before it has recorded that'],
  ] as const) {
    it(`${when}: the card is charged once, and the wallet has that (${point})`, async () => {
      const { platform } = card;
      const before = charges().length;
      const { agent, job, recharged } = await owing();
      const { apiBase, secretKey, webhookSecrets } = platform.config.deposits.card!;
      await makeDue(job);
      const armed = await child(platform, 'test/faults/worker.ts', {
        MASTER_KEYS,
        CRASH_AT: point,
        CRASH_AT_JOB: job,
        STRIPE_API_BASE: apiBase!,
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_WEBHOOK_SECRETS: webhookSecrets.join(),
      });
      expect(await armed.ended).to.equal('SIGKILL');
      expect(charges().length - before, 'charges when it was killed').to.equal(1);
      expect(await card.wallet(agent)).to.include({ cash: 1 });

      await makeDue(job);
      await platform.resumeWorkers();
      await recharged;
      expect(await card.wallet(agent)).to.include({ cash: 11 });
      await card.control.releaseEvents();
      await card.quiet();
      expect(charges().length - before, 'charges at the end').to.equal(1);
      expect(await card.wallet(agent)).to.include({ cash: 11 });
      expect(await audit(platform.context.database)).to.deep.equal([]);
    });
  }
});

const JOB_THAT_FAILED = `
  select j.id from job j join recharge r on j.input ->> 'recharge_id' = r.id::text
   where r.root_id = $1 and j.operation = 'charge_saved_card' and j.fault is not null`;
