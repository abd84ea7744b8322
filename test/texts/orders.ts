import { OPERATOR_TOKEN, type Story } from './market.ts';

const PRODUCT = { title: 'A thing', category: 'api_service', price: 0.01 };

/** A seller describes products and delivers goods. */
export const LISTINGS: Story = {
  fields: [
    'create_product/description',
    'create_product/content',
    'create_product/items[]',
    'update_product/description',
    'update_product/content',
    'add_stock/items[]',
    'review_product/note',
  ],
  tell: async ({ platform, call, text, read }) => {
    const [seller, buyer] = await Promise.all([platform.agent(), platform.agent({ usd: 5 })]);
    const buy = async (product_id: number, quantity = 1) => {
      const { order_id } = await call('purchase_product', { product_id, quantity }, buyer.key);
      return { operation: 'get_vault_item', input: { order_id }, key: buyer.key };
    };
    for (const op of ['create_product', 'update_product']) {
      const texts = { description: text(`${op}/description`), content: text(`${op}/content`) };
      const made = { ...PRODUCT, stock_kind: 'unlimited', ...texts };
      const { product_id } = await call('create_product', made, seller.key);
      if (op === 'update_product') {
        const plain = { ...made, description: 'Soon.', content: 'Soon.' };
        const old = await call('create_product', plain, seller.key);
        await call(op, { product_id: old.product_id, ...texts }, seller.key);
        await read({ field: `${op}/content`, ...(await buy(old.product_id)) });
        const input = { product_id: old.product_id };
        const shown = { operation: 'get_product', input, key: buyer.key };
        await read({ field: `${op}/description`, ...shown });
        continue;
      }
      const listed = { operation: 'list_products', input: { limit: 5 }, key: buyer.key };
      await read({ field: `${op}/description`, ...listed });
      await read({ field: `${op}/content`, ...(await buy(product_id)) });
    }
    const pool = { ...PRODUCT, description: 'Keys.', stock_kind: 'serial_pool' };
    const items = [text('create_product/items[]')];
    const { product_id } = await call('create_product', { ...pool, items }, seller.key);
    const added = { product_id, items: [text('add_stock/items[]')] };
    await call('add_stock', added, seller.key);
    const vault = await buy(product_id, 2);
    await read({ field: 'create_product/items[]', ...vault });
    await read({ field: 'add_stock/items[]', ...vault });
    const note = text('review_product/note');
    await call('review_product', { product_id, decision: 'suspend', note }, OPERATOR_TOKEN);
    const own = { operation: 'my_products', input: { limit: 5 }, key: seller.key };
    await read({ field: 'review_product/note', ...own });
  },
};

/** A buyer complains, both write to each other, an operator decides, and it is reviewed. */
export const DISPUTES: Story = {
  fields: [
    'dispute_order/reason',
    'respond_dispute/response',
    'decide_dispute/note',
    'send_message/text',
    'review_order/text',
    'answer_review/answer',
    'moderate_review/note',
  ],
  tell: async ({ platform, call, text, read }) => {
    const [seller, buyer] = await Promise.all([platform.agent(), platform.agent({ usd: 5 })]);
    const goods = { ...PRODUCT, description: 'It.', stock_kind: 'unlimited', content: 'It.' };
    const { product_id } = await call('create_product', goods, seller.key);
    const { order_id } = await call('purchase_product', { product_id }, buyer.key);
    const order = { operation: 'get_order', input: { order_id } };
    await call('get_vault_item', { order_id }, buyer.key);
    await call('send_message', { order_id, text: text('send_message/text') }, buyer.key);
    const messages = { operation: 'list_messages', input: { order_id }, key: seller.key };
    await read({ field: 'send_message/text', ...messages });
    const reason = text('dispute_order/reason');
    await call('dispute_order', { order_id, reason }, buyer.key);
    await read({ field: 'dispute_order/reason', ...order, key: seller.key });
    const response = text('respond_dispute/response');
    await call('respond_dispute', { order_id, response }, seller.key);
    await read({ field: 'respond_dispute/response', ...order, key: buyer.key });
    const evidence = { operation: 'list_disputes', input: {}, key: OPERATOR_TOKEN };
    await read({ field: 'dispute_order/reason', ...evidence });
    const note = text('decide_dispute/note');
    await call('decide_dispute', { order_id, verdict: 'refund', note }, OPERATOR_TOKEN);
    await read({ field: 'decide_dispute/note', ...order, key: buyer.key });
    await read({ field: 'decide_dispute/note', ...order, key: seller.key });
    const review = { order_id, rating: 1, text: text('review_order/text') };
    await call('review_order', review, buyer.key);
    await call('answer_review', { order_id, answer: text('answer_review/answer') }, seller.key);
    const listed = { operation: 'list_reviews', input: { product_id } };
    for (const field of ['review_order/text', 'answer_review/answer']) {
      await read({ field, operation: 'get_review', input: { order_id }, key: seller.key });
      await read({ field, ...listed, key: (await platform.agent()).key });
    }
    const hidden = { order_id, decision: 'hide', note: text('moderate_review/note') };
    await call('moderate_review', hidden, OPERATOR_TOKEN);
    const own = { operation: 'get_review', input: { order_id } };
    await read({ field: 'moderate_review/note', ...own, key: buyer.key });
  },
};
