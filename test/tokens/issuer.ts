import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import algosdk, { type Account } from 'algosdk';

import { eventually, type TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { openAlgorandRig, type AlgorandRig } from '../sandbox/algorand/algorand_rig.ts';

/** The sandbox of Algorand with a wallet that issues, and the settings that name both. */
export interface IssuerRig {
  readonly rig: AlgorandRig;
  readonly wallet: Account;
  readonly env: Record<string, string>;
}

export async function openIssuerRig({ microAlgos = 50_000_000 } = {}): Promise<IssuerRig> {
  const rig = await openAlgorandRig();
  const wallet = await rig.account(microAlgos);
  const { algodUrl, indexerUrl } = rig.node;
  const { genesisHash } = await rig.algod.getTransactionParams().do();
  const env = {
    ALGO_NODE_URL: algodUrl,
    ALGO_INDEXER_URLS: indexerUrl,
    SANDBOX: 'algorand',
    ALGO_GENESIS_HASH: Buffer.from(genesisHash!).toString('base64'),
    ALGO_KEY_FILE: fileOf(wallet),
  };
  return { rig, wallet, env };
}

function fileOf({ sk }: Account): string {
  const file = join(mkdtempSync(join(tmpdir(), 'issuer-')), 'words');
  writeFileSync(file, `${algosdk.secretKeyToMnemonic(sk)}\n`);
  chmodSync(file, 0o600);
  return file;
}

/**
 * Nothing is signed while the wallet is empty, so a test can decide who signs. What fills it again.
 */
export async function emptied({ rig, wallet }: IssuerRig): Promise<() => Promise<unknown>> {
  const { amount, minBalance } = await rig.algod.accountInformation(wallet.addr).do();
  const spare = amount - BigInt(minBalance) - 50_000n;
  await rig.send(await rig.payment(wallet, rig.bank, { amount: spare }), wallet);
  return async () => rig.send(await rig.payment(rig.bank, wallet, { amount: spare }), rig.bank);
}

/** SQL: a claim as `claim_asa` makes one: of an agent, for an address, of an asset. */
export const CLAIM = `
  insert into token (kind, network, call_id, agent_id, root_id, address, contract_id)
  values ('claim', 'sandbox', gen_random_uuid(), $1, $1, $2, $3) returning id::int`;

export const COIN = { name: 'Agent coin', unit_name: 'AGC', total_supply: 1_000_000, decimals: 2 };
export const URI = 'ipfs://bafybeigdyrzt/7.json#arc3';

export const issue = (platform: TestPlatform, { key }: { key: string }, body: object = COIN) =>
  platform.request('POST /api/v1/asa', { key, body });

export const mint = (platform: TestPlatform, { key }: { key: string }, body: object) =>
  platform.request('POST /api/v1/nft', { key, body });

export interface TokenRow {
  readonly id: number;
  readonly status: string;
  readonly algo_id: string | null;
  readonly tx_id: string | null;
  readonly number: string | null;
  readonly attempts: number;
}

export async function tokenOf(platform: TestPlatform, id: number): Promise<TokenRow> {
  const sql = `select id::int, status, algo_id, tx_id, number,
                      (select count(*)::int from token_transaction where token_id = id) as attempts
                 from token where id = $1`;
  return (await platform.query(sql, [id]))[0];
}

/** Rounds, until it is there or has failed; how it is then. */
export const untilClosed = (platform: TestPlatform, id: number): Promise<TokenRow> =>
  eventually(
    async () => {
      await runTimer(platform, 'deploy_tokens');
      return tokenOf(platform, id);
    },
    ({ status }) => ['deployed', 'failed'].includes(status),
  );

/** Assets that the wallet has made, as the node has them. */
export async function assetsOf({ rig, wallet }: IssuerRig): Promise<readonly { name: string }[]> {
  const { createdAssets = [] } = await rig.algod.accountInformation(wallet.addr).do();
  return createdAssets.map(({ params }) => ({ name: params?.name ?? '' }));
}
