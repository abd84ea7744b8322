import { act } from '../../orders/deal.ts';
import { buy } from '../../orders/trade.ts';
import { issueReceipts, receiptOf } from '../../receipts/receipt_book.ts';
import type { Scene } from '../scene.ts';
import { ofBuyer } from './report_rights.ts';
import type { Right } from './right.ts';

/** The signed receipt of a deal is for its parties; what verifies it is for everybody. */
export const RECEIPT_RIGHTS: Readonly<Record<string, Right>> = {
  list_receipts: {
    route: 'GET /api/v1/receipts',
    access: 'read',
    also: { 'an agent': ofBuyer },
  },
  get_receipt: {
    route: 'GET /api/v1/receipts/:receipt_id',
    access: 'read',
    input: async (scene) => ({ receipt_id: await receiptIn(scene) }),
    answers: { outsider: 'not_found' },
    object: 'receipt_id',
  },
  get_receipt_day: {
    route: 'GET /api/v1/receipts/days/:day',
    access: 'public',
    isTool: false,
    input: async (scene) => ({ day: await closedDay(scene) }),
  },
  get_receipt_keys: { route: 'GET /.well-known/jwks.json', access: 'public', isTool: false },
  rotate_receipt_key: {
    route: 'POST /api/v1/admin/receipt-keys/rotate',
    access: 'operator',
    isTool: false,
  },
};

/** A receipt of a new order of the buyer's, of the seller's product. */
async function receiptIn({ platform, buyer, product }: Scene): Promise<number> {
  const orderId = await buy(platform, buyer, { id: product });
  await act(platform, 'confirm_order', { orderId, key: buyer.key });
  await issueReceipts(platform);
  return (await receiptOf(platform, buyer, 'order', orderId)).receipt_id;
}

/** A day that is over: receipts of today have been issued since. */
async function closedDay({ platform }: Scene): Promise<string> {
  const [{ day }] = await platform.query(
    `select coalesce((select min(day) from receipt_day), current_date - 1)::text as day`,
  );
  await platform.query('update receipt_watermark set open_day = least(open_day, $1)', [day]);
  await issueReceipts(platform);
  return day;
}
