import type { Right } from './right.ts';
import type { Party, Scene } from '../scene.ts';

const onlyBuyer = { seller: 'not_found', outsider: 'not_found' };
const payment = { amount: 1, address: `0x${'ab'.repeat(20)}` };

/** A withdrawal of the buyer's: a new one for the buyer, because the call ends it. */
async function withdrawalOf(scene: Scene, party: Party): Promise<{ withdrawal_id: number }> {
  const { platform, buyer, withdrawal } = scene;
  if (party !== 'buyer') return { withdrawal_id: withdrawal };
  const route = 'POST /api/v1/wallet/withdrawals';
  const { body } = await platform.request(route, { key: buyer.key, body: payment });
  if (!body.withdrawal_id) throw new Error(`withdrawing failed: ${JSON.stringify(body)}`);
  return { withdrawal_id: body.withdrawal_id };
}

/** One that waits for a review. */
export async function reviewedOf(scene: Scene): Promise<{ withdrawal_id: number }> {
  const made = await withdrawalOf(scene, 'buyer');
  const sql = `update withdrawal set review = 'pending' where id = $1`;
  await scene.platform.query(sql, [made.withdrawal_id]);
  return made;
}

/** Money out of the wallet, for roots alone. */
export const WITHDRAWAL_RIGHTS: Readonly<Record<string, Right>> = {
  withdraw: {
    route: 'POST /api/v1/wallet/withdrawals',
    access: 'owner',
    input: () => payment,
  },
  quote_withdrawal: {
    route: 'GET /api/v1/wallet/withdrawals/quote',
    access: 'owner',
    input: () => payment,
  },
  list_withdrawals: { route: 'GET /api/v1/wallet/withdrawals', access: 'owner' },
  list_payout_addresses: { route: 'GET /api/v1/wallet/payout-addresses', access: 'owner' },
  cancel_withdrawal: {
    route: 'POST /api/v1/wallet/withdrawals/:withdrawal_id/cancel',
    access: 'owner',
    input: withdrawalOf,
    answers: onlyBuyer,
    object: 'withdrawal_id',
  },
};
