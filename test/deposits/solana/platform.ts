import { createPrivateKey, sign } from 'node:crypto';

import { Keypair, type PublicKey } from '@solana/web3.js';

import { startPrices, type PriceServer } from '../../../sandbox/prices/prices.ts';
import { FINAL_AFTER } from '../../../sandbox/solana/slots.ts';
import { toBase58 } from '../../../shared/domains/deposits/solana/base58.ts';
import { TestPlatform, type Reply } from '../../harness.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { openSolanaRig, type SolanaRig } from './rig.ts';

/** A Solana whose payments can be priced, and the settings of a platform that takes them. */
interface PaidSolana {
  readonly rig: SolanaRig;
  /** Recipient of the payments. */
  readonly treasury: PublicKey;
  /** Its key, for what leaves it. */
  readonly treasuryKey: Keypair;
  readonly prices: PriceServer;
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

export async function openPaidSolana(): Promise<PaidSolana> {
  const rig = await openSolanaRig();
  const treasuryKey = Keypair.generate();
  const treasury = treasuryKey.publicKey;
  const prices = await startPrices();
  return {
    rig,
    treasury,
    treasuryKey,
    prices,
    env: {
      SOLANA_RPC_URLS: rig.node.url,
      SANDBOX: 'solana',
      SOLANA_GENESIS: rig.node.chain.genesis,
      SOLANA_DEPOSIT_ADDRESS: treasury.toBase58(),
      PRICE_SOURCES: prices.sources,
      EGRESS_ALLOW: new URL(prices.url).host,
    },
    async close() {
      await rig.close();
      await prices.close();
    },
  };
}

/** A platform that takes money by a Solana of its own, of which two providers tell it. */
export interface SolanaPlatform extends PaidSolana {
  readonly platform: TestPlatform;
  /** The second provider, which tells the truth until a test says otherwise. */
  readonly other: FaultyRpc;
}

export async function openSolanaPlatform(): Promise<SolanaPlatform> {
  const solana = await openPaidSolana();
  const other = await openFaultyRpc(solana.rig.node.url);
  const env = { ...solana.env, SOLANA_RPC_URLS: `${solana.rig.node.url} ${other.url}` };
  const platform = await TestPlatform.open({ env });
  return {
    ...solana,
    platform,
    other,
    async close() {
      await platform.close();
      other.close();
      await solana.close();
    },
  };
}

interface Agent {
  readonly key: string;
}

/** The memo that names the agent in a payment. */
export async function memoOf({ platform }: SolanaPlatform, { key }: Agent): Promise<string> {
  const { body } = await platform.request('GET /api/v1/solana/info', { key });
  return body.memo;
}

export const verify = (
  { platform }: SolanaPlatform,
  { key }: Agent,
  tx_id: string,
): Promise<Reply> =>
  platform.request('POST /api/v1/solana/verify?wait=20', { key, body: { tx_id } });

/** So that what was paid is final. */
export const settleSlots = ({ rig }: SolanaPlatform): void => rig.node.advance(FINAL_AFTER);

export async function balanceOf({ platform }: SolanaPlatform, { key }: Agent): Promise<number> {
  const { body } = await platform.request('GET /api/v1/wallet', { key });
  return body.cash;
}

/** The wallet of the rig's payer signs that it is the agent's. */
export async function linkWallet({ platform, rig }: SolanaPlatform, { key }: Agent): Promise<void> {
  const address = rig.payer.publicKey.toBase58();
  const link = (more: object) =>
    platform.request('POST /api/v1/wallets/link?wait=20', {
      key,
      body: { network: 'solana', address, ...more },
    });
  const { message } = (await link({})).body;
  // The form in which node:crypto takes a key of 32 bytes.
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  const seed = rig.payer.secretKey.subarray(0, 32);
  const der = Buffer.concat([head, seed]);
  const signer = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const signature = toBase58(sign(null, Buffer.from(message), signer));
  const linked = await link({ signature });
  if (linked.status !== 200) throw new Error(linked.text);
}
