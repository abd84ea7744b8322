import { OPERATOR_TOKEN } from '../access/scene.ts';
import type { TestPlatform } from '../harness.ts';
import { gatherRecords } from '../records/gather_records.ts';
import { closeToday } from './close_today.ts';
import { issueReceipts } from './receipt_book.ts';

interface Told {
  readonly receipts: readonly { readonly receipt_id: number; readonly receipt: string }[];
  readonly inclusion: { readonly day: string };
}

/** A buyer shows the receipt of an order to somebody who has no key. */
export async function tellOfReceipts(
  call: (name: string, input: object, key?: string) => Promise<Told>,
  { platform, key, orderId }: { platform: TestPlatform; key: string; orderId: number },
): Promise<void> {
  await gatherRecords(platform);
  await call('agent_record', { order_id: orderId }, key);
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
