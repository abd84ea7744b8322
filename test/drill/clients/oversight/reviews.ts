import { OPERATOR } from '../../calls/call.ts';
import type { Domain } from '../domain.ts';
import { productOf } from '../goods.ts';

/** Operators take a product of each seller off sale, and approve it again. Nobody buys it. */
export const reviews: Domain = {
  by: 'sellers',
  open(trader) {
    const { agent, client, wrong } = trader;
    let product: { readonly id: number; status: 'approved' | 'suspended' } | undefined;

    async function list(): Promise<void> {
      const operation = 'create_product';
      const listing = { stock_kind: 'unlimited', content: 'nothing', price: 1 } as const;
      const input = productOf(`reviewed ${agent.id}`, listing);
      const key = trader.newKey(operation);
      const answer = await client({ agent, operation, input, key });
      if (answer?.status !== 200) return wrong(`listing was refused: ${answer?.text}`);
      product = { id: answer.body.product_id, status: 'approved' };
    }

    async function review(): Promise<void> {
      if (!product) return list();
      const decision = product.status === 'approved' ? 'suspend' : 'approve';
      const input = { product_id: product.id, decision, note: 'Decided during a drill.' };
      const operation = 'review_product';
      const answer = await client({ agent: OPERATOR, operation, input, repeatable: true });
      const status = decision === 'suspend' ? 'suspended' : 'approved';
      // Operators have no keys: a repeat gets 409 when its lost first call had decided.
      const isLate = answer?.status === 409 && answer.uncertain;
      const shown = isLate ? answer.body.details.status : answer?.body.status;
      if (shown !== status) wrong(`a review to ${decision} was answered ${answer?.text}`);
      product.status = status;
    }

    return {
      steps: [{ weight: 1, run: review }],
      async compare({ database, same }) {
        if (!product) return;
        const sql = 'select id::int, status from product where id = $1';
        const [found] = await database.query(sql, [product.id]);
        same('reviews', `product ${product.id}`, { found, told: product });
      },
    };
  },
};
