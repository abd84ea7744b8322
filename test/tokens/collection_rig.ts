import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Keypair, PublicKey } from '@solana/web3.js';

import { FINAL_AFTER } from '../../sandbox/solana/slots.ts';
import { openSolanaRig, SOL, sol, type SolanaRig } from '../deposits/solana/rig.ts';
import { eventually, type TestPlatform } from '../harness.ts';
import { runTimer } from '../orders/trade.ts';
import { tokenOf, type TokenRow } from './issuer.ts';

/** A Solana with a wallet that makes collections, and the settings that name both. */
export interface CollectionRig {
  readonly rig: SolanaRig;
  readonly wallet: Keypair;
  readonly env: Record<string, string>;
}

export async function openCollectionRig(): Promise<CollectionRig> {
  const rig = await openSolanaRig();
  const wallet = Keypair.generate();
  await rig.pay([sol(rig.payer, wallet.publicKey, SOL)]);
  rig.node.advance(FINAL_AFTER);
  return { rig, wallet, env: envOf(rig, wallet) };
}

/** Settings with a key as solana-keygen writes it. */
function envOf(rig: SolanaRig, { secretKey }: Keypair): Record<string, string> {
  const file = join(mkdtempSync(join(tmpdir(), 'collections-')), 'key.json');
  writeFileSync(file, JSON.stringify([...secretKey]));
  chmodSync(file, 0o600);
  return {
    SOLANA_RPC_URLS: rig.node.url,
    SANDBOX: 'solana',
    SOLANA_GENESIS: rig.node.chain.genesis,
    SOLANA_KEY_FILE: file,
  };
}

export const GROUP = { name: 'Agent goods', symbol: 'AGENT', uri: 'ipfs://bafybeigdyrzt/1.json' };
const ROUTE = '/api/v1/solana/collection';

export const create = (
  platform: TestPlatform,
  { key }: { key: string },
  body: object = GROUP,
  headers: Record<string, string> = {},
) => platform.request(`POST ${ROUTE}`, { key, body, headers });

export const shown = async (platform: TestPlatform, { key }: { key: string }) =>
  (await platform.request(`GET ${ROUTE}`, { key })).body;

/** Rounds and slots, until it is there or has failed; how it is then. */
export const untilMade = (
  platform: TestPlatform,
  { rig }: CollectionRig,
  id: number,
): Promise<TokenRow> =>
  eventually(
    async () => {
      rig.node.advance(FINAL_AFTER);
      await runTimer(platform, 'deploy_collections');
      return tokenOf(platform, id);
    },
    ({ status }) => ['deployed', 'failed'].includes(status),
  );

/** Nothing is signed while the wallet is empty. What fills it again. */
export async function emptied({ rig, wallet }: CollectionRig): Promise<() => Promise<unknown>> {
  const kept = 1_000_000;
  const spare = (await rig.connection.getBalance(wallet.publicKey)) - kept - 5_000;
  await rig.pay([sol(wallet, rig.payer.publicKey, BigInt(spare))], wallet);
  rig.node.advance(FINAL_AFTER);
  return async () => {
    await rig.pay([sol(rig.payer, wallet.publicKey, BigInt(spare))]);
    rig.node.advance(FINAL_AFTER);
  };
}

/** The accounts of the wallet's mints, each with its extensions by their kinds. */
export async function mintsOf({ rig, wallet }: CollectionRig): Promise<readonly Mint[]> {
  const program = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
  const accounts = await rig.connection.getProgramAccounts(program);
  return accounts
    .map(({ pubkey, account }) => mintIn(pubkey.toBase58(), account.data))
    .filter(({ group }) => group.owner === wallet.publicKey.toBase58());
}

const NOBODY = PublicKey.default.toBase58();
const addressAt = (bytes: Buffer, at: number): string | null => {
  const address = new PublicKey(bytes.subarray(at, at + 32)).toBase58();
  return address === NOBODY ? null : address;
};

type Mint = ReturnType<typeof mintIn>;

/** By the layouts of Token-2022. */
function mintIn(address: string, data: Buffer) {
  const extensions = new Map<number, Buffer>();
  for (let at = 166; at + 4 <= data.length;) {
    const length = data.readUInt16LE(at + 2);
    extensions.set(data.readUInt16LE(at), data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  const [pointer, metadata, groupPointer, group] = [18, 19, 20, 21].map((kind) =>
    extensions.get(kind)!,
  );
  const texts: string[] = [];
  for (let at = 64; texts.length < 3;) {
    const length = metadata!.readUInt32LE(at);
    texts.push(metadata!.subarray(at + 4, at + 4 + length).toString());
    at += 4 + length;
  }
  return {
    address,
    minter: data.readUInt32LE(0) === 0 ? null : addressAt(data, 4),
    supply: data.readBigUInt64LE(36),
    decimals: data[44],
    freezer: data.readUInt32LE(46) === 0 ? null : addressAt(data, 50),
    pointer: [addressAt(pointer!, 0), addressAt(pointer!, 32)],
    groupPointer: [addressAt(groupPointer!, 0), addressAt(groupPointer!, 32)],
    metadata: { owner: addressAt(metadata!, 0), mint: addressAt(metadata!, 32), texts },
    group: {
      owner: addressAt(group!, 0),
      mint: addressAt(group!, 32),
      size: group!.readBigUInt64LE(64),
    },
  };
}
