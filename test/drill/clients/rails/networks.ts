import { Keypair } from '@solana/web3.js';

import { findAnvil } from '../../../../sandbox/evm/anvil.ts';
import { startPrices } from '../../../../sandbox/prices/prices.ts';
import { memo } from '../../../../sandbox/solana/instructions.ts';
import { sol, usdc } from '../../../deposits/solana/rig.ts';
import { openPaidTron } from '../../../deposits/tron/platform.ts';
import { mintsOf, openCollectionRig } from '../../../tokens/collection_rig.ts';
import { assetsOf, openIssuerRig } from '../../../tokens/issuer.ts';

/** Networks of this machine on which a drill pays in, and tokens are issued. */
export interface DrillNetworks {
  /** Settings of the processes. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Pays in so many micro-dollars, with what names the agent: a reference or an address. Resolves
   * with the id. Ways that need a node which npm does not have for this machine are not there.
   */
  readonly pay: { readonly [way in Way]?: (micros: number, named: string) => Promise<string> };
  /** The names of all assets on Algorand, and of all collections on Solana, that we made. */
  names(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export type Way = 'algo' | 'sol' | 'usdc_spl' | 'usdt_tron';

const SLOT_MS = 100;
const PAYER_MICRO_ALGOS = 10_000_000_000;
/** An ALGO is worth $0.2 where prices are steady. */
const MICRO_ALGOS_A_MICRO_DOLLAR = 5;
const BLOCK_SECONDS = 1;

/** A SOL is worth $150. What is beyond a micro-dollar is not credited. */
const lamportsOf = (micros: number): bigint => (BigInt(micros) * 20n + 2n) / 3n;

export async function openDrillNetworks(): Promise<DrillNetworks> {
  const [issuer, solana, prices, tron] = await Promise.all([
    openIssuerRig(),
    openCollectionRig(),
    startPrices(),
    findAnvil() ? openPaidTron() : undefined,
  ]);
  // With a block for each transaction the clock of the chain would run ahead.
  await tron?.paying.evm.send('evm_setAutomine', [false]);
  await tron?.paying.evm.send('evm_setIntervalMining', [BLOCK_SECONDS]);
  const { rig } = issuer;
  const [ours, payer] = [await rig.account(), await rig.account(PAYER_MICRO_ALGOS)];
  const treasury = Keypair.generate().publicKey;
  const ticking = setInterval(() => solana.rig.node.advance(), SLOT_MS);
  return {
    env: {
      ...issuer.env,
      ...solana.env,
      ALGO_DEPOSIT_ADDRESS: ours.addr.toString(),
      SOLANA_DEPOSIT_ADDRESS: treasury.toBase58(),
      ...tron?.env,
      PRICE_SOURCES: prices.sources,
    },
    pay: {
      async algo(micros, note) {
        const fields = { amount: micros * MICRO_ALGOS_A_MICRO_DOLLAR, note };
        return (await rig.send(await rig.payment(payer, ours, fields), payer)).id;
      },
      async sol(micros, reference) {
        const paid = sol(solana.rig.payer, treasury, lamportsOf(micros));
        return solana.rig.pay([paid, memo(reference)]);
      },
      async usdc_spl(micros, reference) {
        const paid = usdc(solana.rig.payer, treasury, BigInt(micros));
        return solana.rig.pay([...paid, memo(reference)]);
      },
      ...(tron && { usdt_tron: (micros, address) => tron.usdt(address, BigInt(micros)) }),
    },
    async names() {
      const [assets, mints] = await Promise.all([assetsOf(issuer), mintsOf(solana)]);
      return [
        ...assets.map(({ name }) => name),
        ...mints.map(({ metadata }) => metadata.texts[0]!),
      ];
    },
    async close() {
      clearInterval(ticking);
      await Promise.all([rig.close(), solana.rig.close(), prices.close(), tron?.close()]);
    },
  };
}
