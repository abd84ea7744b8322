import { OPERATOR_TOKEN } from '../access/scene.ts';
import type { TestPlatform } from '../harness.ts';
import { gatherRecords } from '../records/gather_records.ts';
import { closeToday } from './close_today.ts';
import { issueReceipts } from './receipt_book.ts';

interface Told {
  readonly receipts: readonly { readonly receipt_id: number; readonly receipt: string }[];
  readonly inclusion: { readonly day: string };
  readonly product_id: number;
}

interface Deal {
  readonly platform: TestPlatform;
  readonly key: string;
  readonly sellerKey: string;
  readonly orderId: number;
}

/** A buyer reviews what it bought, and shows the receipt of an order to somebody who has no key. */
export async function tellOfReceipts(
  call: (name: string, input: object, key?: string) => Promise<Told>,
  { platform, key, sellerKey, orderId }: Deal,
): Promise<void> {
  await gatherRecords(platform);
  await call('agent_record', { order_id: orderId }, key);
  const { product_id } = await call('get_order', { order_id: orderId }, key);
  await call('list_reviews', { product_id }, key);
  await call('review_order', { order_id: orderId, rating: 5, text: 'It is as it says.' }, key);
  await call('answer_review', { order_id: orderId, answer: 'Thank you.' }, sellerKey);
  await call('get_review', { order_id: orderId }, key);
  const hidden = { order_id: orderId, decision: 'hide', note: 'It names a person.' };
  await call('moderate_review', hidden, OPERATOR_TOKEN);
  await call('reviews_to_moderate', { hidden: true }, OPERATOR_TOKEN);
  await call('moderate_review', { order_id: orderId, decision: 'show' }, OPERATOR_TOKEN);
  await call('list_reviews', { product_id }, key);
  await issueReceipts(platform);
  await closeToday(platform);
  const about = { kind: 'order', object_id: orderId };
  const [receipt] = (await call('list_receipts', about, key)).receipts;
  const { inclusion } = await call('get_receipt', { receipt_id: receipt!.receipt_id }, key);
  await call('verify_receipt', { receipt: receipt!.receipt });
  await call('get_receipt_keys', {});
  await call('get_receipt_day', { day: inclusion.day });
  await call('rotate_receipt_key', {}, OPERATOR_TOKEN);
}
