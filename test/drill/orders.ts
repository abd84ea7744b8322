import { randomUUID } from 'node:crypto';

import type { History } from './history.ts';
import type { Call, Line, Outcome, Party } from './client.ts';
import { microsOf, type Good } from './market.ts';
import type { Random } from './random.ts';
import { OPERATOR_TOKEN } from './deployment.ts';

/** An order as its buyer must think it is. Micro-dollars. */
export interface Bought {
  readonly id: number;
  readonly good: Good;
  readonly quantity: number;
  readonly subtotal: number;
  readonly fee: number;
  status: 'escrow' | 'disputed' | 'completed' | 'refunded' | 'partially_refunded';
  refunded: number;
  /** Its vault was opened. */
  opened: boolean;
}

/** By the end of their paths. */
const OPERATIONS = {
  confirm: 'confirm_order',
  refund: 'refund_order',
  dispute: 'dispute_order',
  'dispute/respond': 'respond_dispute',
  'dispute/withdraw': 'withdraw_dispute',
} as const;
type Action = keyof typeof OPERATIONS;

const OPERATOR: Party = { id: 0, token: OPERATOR_TOKEN };

interface Actor {
  readonly party: Party;
  readonly line: Line;
  readonly random: Random;
  readonly history: History;
  readonly wrong: (what: string) => void;
  /** Into the buyer's wallet. */
  readonly pay: (micros: number) => void;
}

/**
 * Everything that buyers, sellers and the operator do to an order. One client drives an order, so
 * that it knows at any time what it must be.
 */
export function actionsOn({ party, line, random, history, wrong, pay }: Actor) {
  async function post(who: Party, order: Bought, action: Action, body: object = {}) {
    const operation = OPERATIONS[action];
    const route = `POST /api/v1/orders/${order.id}/${action}`;
    const key = `${operation}-${randomUUID()}`;
    const answer = await line({ party: who, operation, route, body, key });
    expectDone(order, operation, answer);
    history.moved[operation] = (history.moved[operation] ?? 0) + 1;
  }

  function expectDone({ id, status }: Bought, operation: string, answer: Outcome): void {
    if (answer?.status === 200) return;
    wrong(`${operation} of order ${id}, ${status}, answered ${answer?.status}: ${answer?.text}`);
  }

  /** What `settle` does with an escrow of which the seller earns so much. */
  function settled(order: Bought, earned: number): void {
    const { subtotal, fee, good } = order;
    order.refunded = subtotal + fee - earned - Math.floor((fee * earned) / subtotal);
    order.status =
      earned === 0 ? 'refunded' : earned === subtotal ? 'completed' : 'partially_refunded';
    good.seller.earned += earned;
    pay(order.refunded);
  }

  async function openVault(order: Bought): Promise<void> {
    const route = `GET /vault/${order.id}`;
    const answer = await line({ party, operation: 'get_vault_item', route, repeatable: true });
    expectDone(order, 'get_vault_item', answer);
    order.opened = true;
    if (!order.good.isSerial || answer?.status !== 200) return;
    const items: { content: string }[] = answer.body.items;
    if (items.length !== order.quantity) wrong(`order ${order.id} delivered ${items.length} units`);
    for (const { content } of items) {
      const owner = history.units.get(content) ?? order.id;
      if (owner !== order.id) wrong(`${content} is in the vaults of orders ${owner}, ${order.id}`);
      history.units.set(content, owner);
    }
  }

  async function decide(order: Bought): Promise<void> {
    const earned = random.pick([0, order.subtotal, Math.floor(order.subtotal / 2)]);
    const isSplit = earned > 0 && earned < order.subtotal;
    const call: Call = {
      party: OPERATOR,
      operation: 'decide_dispute',
      route: `POST /api/v1/admin/disputes/order/${order.id}/verdict`,
      body: {
        verdict: isSplit ? 'split' : earned > 0 ? 'release' : 'refund',
        ...(isSplit && { seller_amount: earned / 1e6 }),
        note: 'Decided in a storm.',
      },
      repeatable: true,
    };
    const answer = await line(call);
    // The operator has no keys: a repeat finds that its lost first call decided.
    if (!(answer?.status === 409 && answer.doubtful)) expectDone(order, 'decide_dispute', answer);
    history.moved.decide_dispute = (history.moved.decide_dispute ?? 0) + 1;
    settled(order, earned);
  }

  const refund = async (order: Bought, who: Party) => {
    await post(who, order, 'refund');
    settled(order, 0);
  };
  const IN_ESCROW = {
    open: 4,
    confirm: 4,
    refund: 2,
    refundBySeller: 1,
    dispute: 2,
  } as const;
  const IN_DISPUTE = { open: 1, respond: 1, withdraw: 2, decide: 3, refundBySeller: 1 } as const;
  const acts = {
    open: openVault,
    async confirm(order: Bought) {
      await post(party, order, 'confirm');
      settled(order, order.subtotal);
    },
    refund: (order: Bought) => (order.opened ? openVault(order) : refund(order, party)),
    refundBySeller: (order: Bought) => refund(order, order.good.seller),
    async dispute(order: Bought) {
      await post(party, order, 'dispute', { reason: 'It came in a storm.' });
      order.status = 'disputed';
    },
    async respond(order: Bought) {
      await post(order.good.seller, order, 'dispute/respond', { response: 'It is whole.' });
      await decide(order);
    },
    async withdraw(order: Bought) {
      await post(party, order, 'dispute/withdraw');
      settled(order, order.subtotal);
    },
    decide,
  };

  return {
    any: (order: Bought) =>
      acts[
        random.weighted<keyof typeof acts>(
          (order.status === 'escrow' ? IN_ESCROW : IN_DISPUTE) as Record<keyof typeof acts, number>,
        )
      ](order),
    async read(order: Bought) {
      const route = `GET /api/v1/orders/${order.id}`;
      const { body } =
        (await line({ party, operation: 'get_order', route, repeatable: true })) ?? {};
      if (body?.status !== order.status || microsOf(body?.refunded) !== order.refunded) {
        wrong(`order ${order.id} is shown as ${body?.status}, and must be ${order.status}`);
      }
    },
  };
}
