import type { TestPlatform } from '../../harness.ts';
import { ADDRESS } from '../../tokens/address.ts';
import { CLAIM } from '../../tokens/issuer.ts';

const SIGN = `
  insert into token_transaction (token_id, attempt, tx_id, bytes, last_valid)
  values ($1, 1, repeat('A', 52), 'AA==', 100)`;
const DEPLOY = `
  update token set status = 'deployed', algo_id = 1138500612, round = 50, closed_at = now(),
                   tx_id = repeat('A', 52)
   where id = $1`;

/** An agent that issues an asset, has an NFT minted and has a collection made. */
export async function tellOfTokens(
  call: (
    name: string,
    input: object,
    key?: string,
  ) => Promise<{ asset_id: number; nft_id: number }>,
  {
    platform,
    id,
    key,
  }: { readonly platform: TestPlatform; readonly id: number; readonly key: string },
): Promise<void> {
  const coin = { name: 'Reading hours', unit_name: 'READ', total_supply: 100_000, decimals: 2 };
  const { asset_id } = await call('issue_asa', coin, key);
  await call('get_asa', { asset_id }, key);
  await call('list_asa', {}, key);
  await platform.query(SIGN, [asset_id]);
  await platform.query(DEPLOY, [asset_id]);
  // No chain is asked whether the address has opted in, because it is claimed already.
  await platform.query(CLAIM, [id, ADDRESS, asset_id]);
  await call('claim_asa', { asset_id, address: ADDRESS }, key);
  const uri = 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/7.json#arc3';
  const { nft_id } = await call('mint_nft', { uri, address: ADDRESS }, key);
  await call('get_nft', { nft_id }, key);
  await call('list_nft', {}, key);
  const group = { name: 'Reading list', symbol: 'READ', uri: 'ipfs://bafybeigdyrzt/list.json' };
  await call('create_solana_collection', group, key);
  await call('solana_collection', {}, key);
}
