import { expect } from 'chai';

import { audit } from '../../shared/composition/audit.ts';
import { TestPlatform } from '../harness.ts';
import { act, ACTIONS, decide, newsOf, openDeal, orderAs, walletsOf } from './deal.ts';
import type { Action, Deal } from './deal.ts';
import { fallDue } from './trade.ts';

interface State {
  /** How an order in escrow comes there. */
  readonly steps: readonly Step[];
  readonly status: string;
  /** The next event if nobody does anything; absent if nothing happens. */
  readonly happens?: string;
  readonly buyer: readonly Action[];
  readonly seller: readonly Action[];
}
type Step = Action | 'due' | 'split';

const RELEASED = 'The escrow is released to the seller.';
const REFUNDED = 'The buyer is refunded in full.';

const STATES: { readonly [name: string]: State } = {
  'in escrow': {
    steps: [],
    status: 'escrow',
    happens: RELEASED,
    buyer: ['get_vault_item', 'confirm_order', 'dispute_order', 'refund_order'],
    seller: ['refund_order'],
  },
  'in escrow and opened': {
    steps: ['get_vault_item'],
    status: 'escrow',
    happens: RELEASED,
    buyer: ['get_vault_item', 'confirm_order', 'dispute_order'],
    seller: ['refund_order'],
  },
  'due for release': {
    steps: ['due'],
    status: 'escrow',
    happens: RELEASED,
    buyer: ['get_vault_item', 'confirm_order', 'refund_order'],
    seller: ['refund_order'],
  },
  disputed: {
    steps: ['dispute_order'],
    status: 'disputed',
    happens: REFUNDED,
    buyer: ['get_vault_item', 'withdraw_dispute', 'refund_order'],
    seller: ['respond_dispute', 'refund_order'],
  },
  'opened and disputed': {
    steps: ['get_vault_item', 'dispute_order'],
    status: 'disputed',
    happens: REFUNDED,
    buyer: ['get_vault_item', 'withdraw_dispute'],
    seller: ['respond_dispute', 'refund_order'],
  },
  'disputed and answered': {
    steps: ['dispute_order', 'respond_dispute'],
    status: 'disputed',
    buyer: ['get_vault_item', 'withdraw_dispute', 'refund_order'],
    seller: ['refund_order'],
  },
  completed: {
    steps: ['confirm_order'],
    status: 'completed',
    buyer: ['get_vault_item'],
    seller: [],
  },
  refunded: { steps: ['refund_order'], status: 'refunded', buyer: [], seller: [] },
  split: {
    steps: ['dispute_order', 'split'],
    status: 'partially_refunded',
    buyer: ['get_vault_item'],
    seller: [],
  },
};

describe('an order', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  async function take(deal: Deal, step: Step): Promise<void> {
    const { orderId, buyer, seller } = deal;
    if (step === 'due') return fallDue(platform, orderId);
    const { key } = step === 'respond_dispute' ? seller : buyer;
    const { status, text } = await (step === 'split'
      ? decide(platform, orderId, { verdict: 'split', seller_amount: 0.5 })
      : act(platform, step, { orderId, key }));
    expect(status, text).to.equal(200);
  }

  async function bring({ steps }: State): Promise<Deal> {
    const deal = await openDeal(platform);
    for (const step of steps) await take(deal, step);
    return deal;
  }

  /** Everything that an action could change. */
  const everything = async ({ buyer, seller, orderId }: Deal) => ({
    order: await orderAs(platform, buyer, orderId),
    wallets: await walletsOf(platform, seller, buyer),
    news: await newsOf(platform, buyer, orderId),
  });

  for (const [name, state] of Object.entries(STATES)) {
    it(`that is ${name} says what happens if nobody does anything`, async () => {
      const { buyer, seller, orderId } = await bring(state);
      for (const agent of [buyer, seller]) {
        const { status, deadlines, release_at, dispute } = await orderAs(platform, agent, orderId);
        expect(status).to.equal(state.status);
        const at = state.happens === REFUNDED ? dispute.respond_by : release_at;
        const { happens } = state;
        expect(deadlines).to.deep.equal(happens ? [{ at, happens }] : []);
      }
    });

    for (const side of ['buyer', 'seller'] as const) {
      it(`that is ${name} lists to its ${side} what can be done, and nothing else can`, async () => {
        const deal = await bring(state);
        const { orderId } = deal;
        const { key } = deal[side];
        const listed = (await orderAs(platform, deal[side], orderId)).available_actions;
        expect(listed).to.have.members(state[side]);

        const before = await everything(deal);
        for (const action of ACTIONS.filter((each) => !listed.includes(each))) {
          const { status, text } = await act(platform, action, { orderId, key });
          expect(status, `${action}: ${text}`).to.be.within(403, 409);
        }
        expect(await everything(deal)).to.deep.equal(before);
        for (const action of listed) {
          const other = await bring(state);
          const reply = await act(platform, action, { ...other, key: other[side].key });
          expect(reply.status, `${action}: ${reply.text}`).to.equal(200);
        }
      });
    }
  }
});
