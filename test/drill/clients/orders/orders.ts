import type { Call } from '../../calls/call.ts';
import type { Answer } from '../../calls/client.ts';
import { countsOf } from '../../calls/history.ts';
import type { Domain } from '../domain.ts';
import { microsOf, type ExpectedOrder, type Good } from '../goods.ts';
import { actionsOn } from './actions.ts';
import { compareOrders } from './comparison.ts';

/** One purchase in this number is made without an Idempotency-Key. */
const KEYLESS_ONE_IN = 7;
/** One purchase in this number is by a quote, if one is held; one of those is never bought. */
const QUOTED_ONE_IN = 4;
const LET_GO_ONE_IN = 5;
/** One purchase in this number is sent twice at the same time, as some clients do. */
const TWICE_ONE_IN = 10;

interface Purchase {
  readonly good: Good;
  readonly quantity: number;
  readonly quoteId?: number | undefined;
}

/** Purchases, vaults and what becomes of orders, until their escrows are empty. */
export const orders: Domain = {
  by: 'buyers',
  open(trader, market) {
    const { agent, client, history, random, wallet, wrong } = trader;
    const known = new Map<number, ExpectedOrder>();
    const actions = actionsOn(trader, market);

    async function buy(): Promise<void> {
      const wanted = { good: random.pick(market.goods), quantity: 1 + random.below(3) };
      const quoteId = random.below(QUOTED_ONE_IN) === 0 ? await quoteOf(wanted) : undefined;
      if (quoteId !== undefined && random.below(LET_GO_ONE_IN) === 0) return;
      const purchase = { ...wanted, quoteId };
      const { good, quantity } = purchase;
      const operation = 'purchase_product';
      const key = random.below(KEYLESS_ONE_IN) === 0 ? undefined : trader.newKey(operation);
      const call: Call = {
        agent,
        operation,
        input:
          quoteId === undefined
            ? { product_id: good.id, quantity }
            : { product_id: good.id, quote_id: quoteId },
        key,
      };
      await trader.perform(
        call,
        (answer) => {
          if (answer.status === 200) addOrder(purchase, answer.body);
          else checkRefusal(purchase, answer);
        },
        {
          wait: random.pick([0, 2, 5]),
          twice: key !== undefined && random.below(TWICE_ONE_IN) === 0,
          ...(!key && { look: () => lookFor(purchase) }),
        },
      );
    }

    /** A quote for a purchase; undefined: nothing is held. */
    async function quoteOf({ good, quantity }: Purchase): Promise<number | undefined> {
      const input = { product_id: good.id, quantity };
      const operation = 'prepare_purchase_payload';
      const answer = await client({ agent, operation, input, repeatable: true });
      const { held, quote_id, total_due, error } = answer!.body;
      if (answer!.status !== 200 && error !== 'out_of_stock') wrong(`a preview: ${error}`);
      const subtotal = good.price * quantity;
      if (held && microsOf(total_due) !== subtotal + feeOf(subtotal)) {
        wrong(`quoted ${total_due} for ${quantity} of ${good.id}`);
      }
      return held ? quote_id : undefined;
    }

    function addOrder(
      { good, quantity, quoteId }: Purchase,
      { order_id: id, total_due }: { order_id: number; total_due: number },
    ): void {
      const subtotal = good.price * quantity;
      const fee = feeOf(subtotal);
      if (quoteId !== undefined) {
        if (id !== quoteId) wrong(`quote ${quoteId} became order ${id}`);
        countsOf(history, 'purchase by quote').performed += 1;
      }
      if (microsOf(total_due) !== subtotal + fee) wrong(`paid ${total_due} for ${good.id}`);
      if (known.has(id)) wrong(`order ${id} was sold twice`);
      wallet.micros -= subtotal + fee;
      const order: ExpectedOrder = {
        id,
        good,
        quantity,
        subtotal,
        fee,
        status: 'escrow',
        refunded: 0,
        contents: undefined,
        openings: { answered: [], sent: [] },
        events: ['order.created'],
        isWaiting: false,
      };
      known.set(id, order);
      good.orders.push(order);
    }

    /** Notes a violation if this purchase could not have got this refusal. */
    function checkRefusal({ good, quantity, quoteId }: Purchase, { status, body }: Answer): void {
      const total = good.price * quantity * 1.1;
      if (quoteId === undefined && status === 400 && body.error === 'out_of_stock') return;
      // A minute has passed, or a purchase of this agent without it took its units.
      if (quoteId !== undefined && body.details?.status === 'expired') return;
      const isPoor = status === 402 && body.error === 'insufficient_balance';
      if (isPoor && (wallet.micros <= total || trader.hasDoubts())) return;
      wrong(`buying ${quantity} of ${good.id} with ${wallet.micros} was refused: ${body.error}`);
    }

    /** Looks for the order of a purchase without a key, of which this client was not told. */
    async function lookFor(purchase: Purchase): Promise<void> {
      for (let cursor: string | undefined; ;) {
        const input = { limit: 100, ...(cursor && { cursor }) };
        const answer = await client({ agent, operation: 'get_orders', input, repeatable: true });
        const page: {
          order_id: number;
          product_id: number;
          quantity: number;
          total_due: number;
        }[] = answer!.body.orders;
        const found = page.find(
          ({ order_id, product_id, quantity }) =>
            !known.has(order_id) &&
            product_id === purchase.good.id &&
            quantity === purchase.quantity,
        );
        if (found) addOrder(purchase, found);
        cursor = answer!.body.next_cursor ?? undefined;
        if (found || !cursor) return;
      }
    }

    const open = () =>
      [...known.values()].filter(
        ({ status, isWaiting }) => ['escrow', 'disputed'].includes(status) && !isWaiting,
      );
    const withOrder = (act: (order: ExpectedOrder) => Promise<void>) => () => {
      const [some] = open().length > 0 ? [random.pick(open())] : [];
      // Few are disputed, so these come first.
      const chosen = open().find(({ status }) => status === 'disputed') ?? some;
      return chosen ? act(chosen) : buy();
    };

    return {
      steps: [
        { weight: 5, run: buy },
        { weight: 8, run: withOrder(actions.act) },
        { weight: 1, run: withOrder(actions.read) },
      ],
      held: () =>
        [...known.values()]
          .filter(({ status }) => ['escrow', 'disputed'].includes(status))
          .reduce((sum, { subtotal, fee }) => sum + subtotal + fee, 0),
      compare: (comparison) => compareOrders(comparison, agent, known),
    };
  },
};

const feeOf = (subtotal: number) => Math.floor((subtotal + 5) / 10);
