import { expect } from 'chai';

import { openCardPlatform, type CardPlatform } from './card_rig.ts';

describe('the terms of auto-recharge', () => {
  let card: CardPlatform;
  before(async () => {
    card = await openCardPlatform();
  });
  after(() => card.close());

  it('are set by the four fields of its tool, and names what else an amount needs', async () => {
    const agent = await card.platform.agent();
    await card.paid(agent, 1, { save_card: true }, '4242 4242 4242 4242');
    await card.quiet();
    const call = async (params: object) => {
      const body = { tool: 'set_auto_recharge', params };
      const { key } = agent;
      const reply = await card.platform.request('POST /api/v1/mcp/call', { key, body });
      return reply.body.structuredContent;
    };
    for (const method of ['card', 'stripe']) {
      const terms = { enabled: true, threshold: 0.25, amount: 25 };
      expect(await call({ ...terms, method })).to.include(terms);
    }
    const refused = await call({ amount: 500 });
    expect(refused.details.fields).to.deep.equal([
      {
        pointer: '/amount',
        message: 'must not exceed monthly_limit, which is 200: send a higher one with it',
      },
    ]);
    expect(await call({ amount: 500, monthly_limit: 500 })).to.include({ amount: 500 });
    expect(await call({ enabled: false })).to.include({ enabled: false });
  });
});
