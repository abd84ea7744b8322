import { OPERATOR_TOKEN } from '../../access/scene.ts';

/** An owner that withdraws twice: once it changes its mind, and once an operator looks at it. */
export async function tellOfWithdrawals(
  call: (name: string, input: object, key?: string) => Promise<{ withdrawal_id: number }>,
  key: string,
): Promise<void> {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  await call('quote_withdrawal', { amount: 1.5, address }, key);
  const small = await call('withdraw', { amount: 1.5, address }, key);
  await call('cancel_withdrawal', { withdrawal_id: small.withdrawal_id }, key);
  const { withdrawal_id } = await call('withdraw', { amount: 2.5, address }, key);
  await call('list_withdrawals', {}, key);
  await call('list_payout_addresses', {}, key);
  await call('withdrawals_to_review', {}, OPERATOR_TOKEN);
  await call('review_withdrawal', { withdrawal_id, decision: 'approve' }, OPERATOR_TOKEN);
}
