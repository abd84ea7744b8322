import { ADDRESS } from '../../tokens/address.ts';

/** An agent that issues an asset, has an NFT minted and has a collection made. */
export async function tellOfTokens(
  call: (
    name: string,
    input: object,
    key?: string,
  ) => Promise<{ asset_id: number; nft_id: number }>,
  { key }: { readonly key: string },
): Promise<void> {
  const coin = { name: 'Reading hours', unit_name: 'READ', total_supply: 100_000, decimals: 2 };
  const { asset_id } = await call('issue_asa', coin, key);
  await call('get_asa', { asset_id }, key);
  await call('list_asa', {}, key);
  const uri = 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/7.json#arc3';
  const { nft_id } = await call('mint_nft', { uri, address: ADDRESS }, key);
  await call('get_nft', { nft_id }, key);
  await call('list_nft', {}, key);
  const group = { name: 'Reading list', symbol: 'READ', uri: 'ipfs://bafybeigdyrzt/list.json' };
  await call('create_solana_collection', group, key);
  await call('solana_collection', {}, key);
}
