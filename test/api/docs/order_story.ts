import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { eventually } from '../../harness.ts';

type Call = (
  name: string,
  input: object,
  key: string,
) => Promise<{ order_id: number; release_at: string }>;

interface Deal {
  readonly buyer: string;
  readonly seller: string;
  readonly productId: number;
  /** An order whose vault the buyer has opened. */
  readonly opened: number;
}

/** Orders are refunded, disputed, decided and confirmed. */
export async function tellOfOrders(
  call: Call,
  { buyer, seller, productId, opened }: Deal,
): Promise<void> {
  const buy = async () =>
    (await call('purchase_product', { product_id: productId }, buyer)).order_id;
  await call('refund_order', { order_id: await buy() }, buyer);
  const [disputed, withdrawn] = [await buy(), await buy()];
  for (const bought of [disputed, withdrawn]) {
    await call('dispute_order', { order_id: bought, reason: 'The token is refused.' }, buyer);
  }
  const answer = { order_id: disputed, response: 'It works since noon.' };
  await call('respond_dispute', answer, seller);
  await call('withdraw_dispute', { order_id: withdrawn }, buyer);
  await call('send_message', { order_id: opened, text: 'Is the token for one computer?' }, buyer);
  await call('send_message', { order_id: disputed, text: 'Since when?' }, seller);
  await call('inbox', {}, buyer);
  await call('list_messages', { order_id: disputed }, buyer);
  await call('list_dispute_messages', { kind: 'order', id: disputed }, OPERATOR_TOKEN);
  await call('dispute_evidence', { kind: 'order', id: disputed }, OPERATOR_TOKEN);
  await call('list_disputes', {}, OPERATOR_TOKEN);
  const verdict = { verdict: 'split', seller_amount: 0.04, note: 'It was refused for half a day.' };
  await call('decide_dispute', { order_id: disputed, ...verdict }, OPERATOR_TOKEN);
  await call('confirm_orders', { order_ids: [await buy()] }, buyer);
  await call('sandbox_advance', { kind: 'order', object_id: await buy(), hours: 72 }, buyer);
  await call('set_confirm_rule', { enabled: true, amount_max: 0.5 }, seller);
  await call('get_confirm_rule', {}, seller);
  const schema = { type: 'object', required: ['base_url', 'token'] };
  const check = { product_id: productId, enabled: true, json_schema: schema, hours: 6 };
  await call('set_goods_check', check, buyer);
  await call('list_goods_checks', {}, buyer);
  const checked = { order_id: await buy() };
  const { release_at: before } = await call('get_order', checked, buyer);
  await call('get_vault_item', checked, buyer);
  await eventually(
    () => call('get_order', checked, buyer),
    ({ release_at: at }) => at < before,
  );
  await call('list_goods_verdicts', checked, buyer);
  await call('set_goods_check', { product_id: productId, enabled: false }, buyer);
}
