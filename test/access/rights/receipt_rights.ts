import { issueReceipts, receiptsOf } from '../../receipts/receipt_book.ts';
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
    answers: { seller: 'not_found', outsider: 'not_found' },
    object: 'receipt_id',
  },
  verify_receipt: {
    route: 'POST /api/v1/receipts/verify',
    access: 'public',
    input: () => ({ receipt: 'eyJhbGciOiJub25lIn0.e30.AA' }),
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

/** The receipt of what the buyer has paid in: no party of it is another. */
async function receiptIn({ platform, buyer }: Scene): Promise<number> {
  await issueReceipts(platform);
  const found = await receiptsOf(platform, buyer);
  return found.find(({ kind }) => kind === 'deposit')!.receipt_id;
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
