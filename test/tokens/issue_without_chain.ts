import { transact } from '../../shared/platform/database.ts';
import { refundCharge } from '../../shared/domains/wallet/refund_charge.ts';
import type { TestPlatform } from '../harness.ts';
import { ADDRESS } from './address.ts';
import { issue, mint, URI } from './issuer.ts';

/** Tokens as the books have them, for tests of the books that need no chain: of each fate one. */
export async function issueWithoutChain(
  platform: TestPlatform,
  agent: { key: string },
): Promise<Record<string, number>> {
  const issued = async () => (await issue(platform, agent)).body.asset_id as number;
  const [token, deployed, failed] = [await issued(), await issued(), await issued()];
  const nft = (await mint(platform, agent, { uri: URI, address: ADDRESS })).body.nft_id as number;
  const { database, config } = platform.context;
  await transact(database, async (db) => {
    await db.query(`insert into token_wallet (network, address) values ('mainnet', '${ADDRESS}')`);
    await db.query(
      `insert into token (kind, network, wallet_id)
       select 'contract', network, id from token_wallet`,
    );
    await db.query(
      `insert into token_transaction (token_id, attempt, tx_id, bytes, last_valid)
       select id, 1, translate(lpad(id::text, 52, 'A'), '0189', 'BCDE'), 'AA==', 100
         from token where id = any ($1) or kind = 'contract'`,
      [[deployed, failed, nft]],
    );
    await db.query(
      `update token set status = 'deployed', algo_id = 7, round = 50, closed_at = now(), tx_id = (
                select tx_id from token_transaction where token_id = token.id)
        where id = $1 or kind = 'contract'`,
      [deployed],
    );
    await db.query(
      `update token set status = 'submitted', number = 1, contract_id = (
                select id from token where kind = 'contract')
        where id = $1`,
      [nft],
    );
    await db.query(
      `update token set status = 'failed', failure = 'A test.', closed_at = now() where id = $1`,
      [failed],
    );
    const sql = 'select charge_id::int as "chargeId" from token where id = $1';
    const [{ chargeId }] = await db.query(sql, [failed]);
    const refund = { chargeId, cause: `token:${failed}`, amount: 1_000_000n };
    await refundCharge({ db, config }, refund);
  });
  return { token, token_deployed: deployed, token_failed: failed, nft };
}
