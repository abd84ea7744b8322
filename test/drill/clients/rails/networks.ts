import { Keypair } from '@solana/web3.js';

import { startPrices } from '../../../../local/sandbox/prices/prices.ts';
import { memo } from '../../../../workers/gateways/solana/token_instructions.ts';
import { usdc } from '../../../deposits/solana/rig.ts';
import { mintsOf, openCollectionRig } from '../../../tokens/collection_rig.ts';
import { assetsOf, openIssuerRig } from '../../../tokens/issuer.ts';

/** Networks of this machine on which a drill pays in, and tokens are issued. */
export interface DrillNetworks {
  /** Settings of the processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Pays in so many micro-dollars, with what names the agent. Resolves with the id. */
  readonly pay: Readonly<Record<PaidRail, (micros: number, reference: string) => Promise<string>>>;
  /** The names of all assets on Algorand, and of all collections on Solana, that we made. */
  names(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export type PaidRail = 'algorand' | 'solana';

const SLOT_MS = 100;
const PAYER_MICRO_ALGOS = 10_000_000_000;
/** An ALGO is worth $0.2 where prices are steady. */
const MICRO_ALGOS_A_MICRO_DOLLAR = 5;

export async function openDrillNetworks(): Promise<DrillNetworks> {
  const [issuer, solana, prices] = await Promise.all([
    openIssuerRig(),
    openCollectionRig(),
    startPrices(),
  ]);
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
      PRICE_SOURCES: prices.sources,
    },
    pay: {
      async algorand(micros, note) {
        const fields = { amount: micros * MICRO_ALGOS_A_MICRO_DOLLAR, note };
        return (await rig.send(await rig.payment(payer, ours, fields), payer)).id;
      },
      async solana(micros, reference) {
        const paid = usdc(solana.rig.payer, treasury, BigInt(micros));
        return solana.rig.pay([...paid, memo(reference)]);
      },
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
      await Promise.all([rig.close(), solana.rig.close(), prices.close()]);
    },
  };
}
