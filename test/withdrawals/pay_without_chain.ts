import { transact } from '../../shared/platform/database.ts';
import { close } from '../../shared/domains/withdrawals/closing.ts';
import { lockWithdrawal } from '../../shared/domains/withdrawals/withdrawal.ts';
import { lockTreasuries } from '../../shared/domains/ledger/ledger.ts';
import type { TestPlatform } from '../harness.ts';

/** Books of a withdrawal that is paid, for tests of the books that need no chain. */
export async function payWithoutChain({ context }: TestPlatform, id: number): Promise<void> {
  const hash = `0x${id.toString(16).padStart(64, 'a')}`;
  await transact(context.database, async (db) => {
    const [{ root_id }] = await db.query('select root_id::int from withdrawal where id = $1', [id]);
    await lockTreasuries(db, [root_id]);
    await db.query(
      `with wallet as (
         insert into hot_wallet (chain_id, address, next_nonce, first_nonce, compared_to)
         values (8453, '0x' || repeat('ce', 20), 1, 0, 100) returning id),
       began as (
         update withdrawal set status = 'processing', wallet_id = wallet.id, nonce = 0,
                started_at = now()
           from wallet where withdrawal.id = $1 returning wallet_id, address, amount),
       signed as (
         insert into payout_transaction (withdrawal_id, attempt, max_fee, priority_fee, hash, bytes)
         values ($1, 1, 1, 1, $2, '0x00'))
       insert into chain_payment select wallet_id, $2, 0, address, amount, 50 from began`,
      [id, hash],
    );
    const withdrawal = (await lockWithdrawal(db, id))!;
    await close({ db, config: context.config }, withdrawal, { status: 'paid', hash, block: 50 });
  });
}
