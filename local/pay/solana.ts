import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { solanaUrl } from '../../sandbox/solana/launch.ts';
import { readLocalSettings } from '../settings.ts';
import { NotPaid, type Market } from './market.ts';
import type { PayRail } from './rail.ts';

interface SolanaInfo {
  readonly network: string;
  readonly address: string;
  readonly memo: string;
}

/** Pays with a memo on the local Solana, from its faucet with unlimited money. */
const solanaRail = (name: string, asset: 'SOL' | 'USDC'): PayRail => ({
  name,
  usage: asset === 'SOL' ? '[--rpc URL] (the sum is in SOL)' : '[--rpc URL]',
  async pay(market, { amount, options }, say) {
    const info = await market.call<SolanaInfo>('GET /api/v1/solana/info');
    if (info.network !== 'sandbox') {
      throw new NotPaid(`Only sandboxes are paid from here, not ${info.network}.`);
    }
    say(`address    ${info.address} on Solana`);
    say(`memo       ${info.memo}`);
    const url = options.rpc ?? solanaUrl(resolve(readLocalSettings().dataDir));
    const tx_id = await send(url, { ...info, asset, amount });
    say(`payment    ${tx_id}`);
    await untilCredited(market, tx_id);
  },
});

export const sol = solanaRail('sol', 'SOL');
export const usdcSpl = solanaRail('usdc-spl', 'USDC');

interface Payment extends SolanaInfo {
  readonly asset: 'SOL' | 'USDC';
  readonly amount: number;
}

/** Resolves with the signature. */
async function send(url: string, { address, memo: text, asset, amount }: Payment) {
  const { Connection, PublicKey, SystemProgram, Transaction } = await import('@solana/web3.js');
  const { faucetOf, SOLANA_USDC, USDC_DECIMALS } = await import('../../sandbox/solana/usdc.ts');
  const { createTokenAccount, memo, mintTo } = await import('../../sandbox/solana/instructions.ts');
  const { tokenAccountOf } = await import('../../workers/gateways/solana/token_instructions.ts');
  const connection = new Connection(url, 'confirmed');
  const faucet = faucetOf(await connection.getGenesisHash());
  const { publicKey: payer } = faucet;
  const owner = new PublicKey(address);
  const mint = new PublicKey(SOLANA_USDC);
  const base = (decimals: number) => BigInt(Math.round(amount * 10 ** decimals));
  const instructions =
    asset === 'SOL'
      ? [SystemProgram.transfer({ fromPubkey: payer, toPubkey: owner, lamports: base(9) })]
      : [
          createTokenAccount({ payer, owner, mint }),
          mintTo({
            mint,
            account: tokenAccountOf({ owner, mint }),
            authority: payer,
            amount: base(USDC_DECIMALS),
          }),
        ];
  const latest = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer, ...latest });
  transaction.add(...instructions, memo(text)).sign(faucet);
  return connection.sendRawTransaction(transaction.serialize());
}

const FINAL_MS_MAX = 30_000;
const LOOK_MS = 500;

/** Reports the payment. It would be found without that some seconds later. */
async function untilCredited(market: Market, tx_id: string): Promise<void> {
  for (const since = Date.now(); Date.now() - since < FINAL_MS_MAX; await sleep(LOOK_MS)) {
    const call = market.call<{ status?: string }>('POST /api/v1/solana/verify', { tx_id });
    const { status } = await call.catch(() => ({ status: 'unknown' }));
    if (status === 'credited') return;
  }
}
