import { createHmac } from 'node:crypto';

import { expect } from 'chai';

import { RIG_SECRET } from '../sandbox/stripe_rig.ts';
import { openCardPlatform } from './card_rig.ts';

describe('an event of Stripe that no column can hold', () => {
  let card: Awaited<ReturnType<typeof openCardPlatform>>;
  before(async () => (card = await openCardPlatform()));
  after(() => card.close());

  const send = (event: object): Promise<Response> => {
    const body = JSON.stringify(event);
    const time = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', RIG_SECRET).update(`${time}.${body}`).digest('hex');
    return fetch(`${card.platform.url}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'stripe-signature': `t=${time},v1=${signature}` },
      body,
    });
  };

  it('is refused, and nothing is recorded', async () => {
    const object = { object: 'payment_intent', id: 'pi_1', metadata: { note: 'a\u0000b' } };
    const event = { object: 'event', id: 'evt_1', type: 'charge.updated', data: { object } };
    for (const changed of [
      { id: 'evt_\u0000' },
      { type: 'charge.\ud800' },
      { data: { object: { ...object, id: 'pi_\u0000' } } },
    ]) {
      const reply = await send({ ...event, ...changed });
      expect(reply.status).to.equal(422);
      expect(await reply.json()).to.include({ error: 'validation_error' });
    }
    const recorded = 'select id from stripe_event';
    expect(await card.platform.query(recorded)).to.deep.equal([]);
    // Its metadata is not read.
    expect((await send(event)).status).to.equal(200);
    expect(await card.platform.query(recorded)).to.deep.equal([{ id: 'evt_1' }]);
  });
});
