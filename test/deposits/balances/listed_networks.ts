import { type PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';

import { FINAL_AFTER } from '../../../sandbox/solana/slots.ts';
import {
  TOKEN_PROGRAM,
  tokenAccountOf,
} from '../../../workers/gateways/solana/token_instructions.ts';
import { TestPlatform } from '../../harness.ts';
import { openFaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { openFaultyIndexer } from '../algorand/faulty_indexer.ts';
import { openPaidAlgorand } from '../algorand/platform.ts';
import { openPaidSolana } from '../solana/platform.ts';
import { sol, usdc, USDC } from '../solana/rig.ts';
import { newTronAddress } from '../tron/payer.ts';
import { openTronPlatform } from '../tron/platform.ts';

/** A network that tells present balances alone, and a platform that takes its payments. */
export interface ListedNetwork {
  readonly platform: TestPlatform;
  /** The asset of the payments, and what they are in its units. */
  readonly asset: string;
  readonly unit: bigint;
  /** Fee that an address of ours pays for sending. */
  readonly fee: bigint;
  pay(amount: bigint): Promise<unknown>;
  /** Payment of our own address to another. */
  spend(amount: bigint): Promise<unknown>;
  /** The newest final position, with all that was paid so far. */
  end(): Promise<number>;
  /** Lists of transactions are empty from now on, and then whole again. */
  hide(): void;
  show(): void;
  close(): Promise<void>;
}

export interface AlgorandNetwork extends ListedNetwork {
  /** Payments look from now on as if an application had made them. */
  asInner(): void;
  /** The indexer no longer knows our account, and lists its transactions. */
  forget(): void;
  /** Our own address pays itself. */
  paySelf(amount: bigint): Promise<unknown>;
  /** Our own account is closed: all that it holds goes to the payer. */
  closeOut(): Promise<unknown>;
}

export async function algorand(): Promise<AlgorandNetwork> {
  const paid = await openPaidAlgorand();
  const { ours, payer, node } = paid;
  const indexer = await openFaultyIndexer(node.indexerUrl);
  const platform = await TestPlatform.open({
    env: { ...paid.env, ALGO_INDEXER_URLS: indexer.url },
  });
  return {
    platform,
    asset: 'ALGO',
    unit: 1_000_000n,
    fee: 1_000n,
    pay: (amount) => paid.pay({ amount }),
    spend: async (amount) => paid.send(await paid.payment(ours, payer, { amount }), ours),
    end: async () => Number(node.lastRound()),
    hide: () => indexer.on(/\/transactions\?/, (answer) => ({ ...answer, transactions: [] })),
    show: () => indexer.honest(),
    paySelf: async (amount) => paid.send(await paid.payment(ours, ours, { amount }), ours),
    closeOut: async () => paid.send(await paid.payment(ours, payer, { close: payer }), ours),
    forget: () => indexer.on(/^\/v2\/accounts\/\w+\?/, () => undefined),
    asInner: () =>
      indexer.on(/\/transactions\?/, (answer) => ({
        ...answer,
        transactions: answer.transactions.map(innerOf),
      })),
    async close() {
      await platform.close();
      indexer.close();
      await paid.close();
    },
  };
}

/** A call of an application by somebody, which makes this payment. */
const innerOf = ({
  'payment-transaction': payment,
  ...raw
}: {
  'payment-transaction'?: object;
}) => ({
  ...raw,
  'application-transaction': {},
  'inner-txns': [{ 'payment-transaction': payment, sender: 'APP' }],
});

async function solana(): Promise<
  Omit<ListedNetwork, 'asset' | 'unit' | 'fee' | 'pay' | 'spend'> & {
    readonly paid: Awaited<ReturnType<typeof openPaidSolana>>;
    /** The next so many lists come from a node that is behind. */
    lag(lists: number): void;
  }
> {
  const paid = await openPaidSolana();
  const { node } = paid.rig;
  const rpc = await openFaultyRpc(node.url);
  const platform = await TestPlatform.open({ env: { ...paid.env, SOLANA_RPC_URLS: rpc.url } });
  return {
    paid,
    platform,
    async end() {
      node.advance(FINAL_AFTER);
      return node.chain.slots.at('finalized');
    },
    lag(lists) {
      let left = lists;
      rpc.on('getSignaturesForAddress', async (_, forward) =>
        left-- > 0 ? new Error('Minimum context slot has not been reached') : forward(),
      );
    },
    hide: () => rpc.on('getSignaturesForAddress', async () => []),
    show: () => rpc.honest(),
    async close() {
      await platform.close();
      rpc.close();
      await paid.close();
    },
  };
}

type SolanaScene = Awaited<ReturnType<typeof solana>>;

/** The token program's CloseAccount. */
const closing = (owner: PublicKey) =>
  new TransactionInstruction({
    programId: TOKEN_PROGRAM,
    keys: [
      {
        pubkey: tokenAccountOf({ owner, mint: USDC }),
        isSigner: false,
        isWritable: true,
      },
      { pubkey: owner, isSigner: false, isWritable: true },
      { pubkey: owner, isSigner: true, isWritable: false },
    ],
    data: Buffer.from([9]),
  });

/** From our own address, which pays the fee. */
async function spendBy(
  { paid: { rig, treasuryKey } }: SolanaScene,
  instructions: Parameters<Transaction['add']>,
) {
  const latest = await rig.connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: treasuryKey.publicKey, ...latest });
  transaction.add(...instructions).sign(treasuryKey);
  return rig.connection.sendRawTransaction(transaction.serialize());
}

export async function solanaCoin(): Promise<ListedNetwork> {
  const scene = await solana();
  const { rig, treasury, treasuryKey } = scene.paid;
  return {
    ...scene,
    asset: 'SOL',
    unit: 1_000_000_000n,
    fee: 5_000n,
    pay: (amount) => rig.pay([sol(rig.payer, treasury, amount)]),
    spend: (amount) => spendBy(scene, [sol(treasuryKey, rig.payer.publicKey, amount)]),
  };
}

interface TokenNetwork extends ListedNetwork {
  /** Our account for USDC is closed, and its rent comes back to us. */
  closeTokens(): Promise<unknown>;
  lag(lists: number): void;
}

export async function solanaToken(): Promise<TokenNetwork> {
  const scene = await solana();
  const { rig, treasury, treasuryKey } = scene.paid;
  await rig.pay([sol(rig.payer, treasury, 1_000_000_000n)]);
  return {
    ...scene,
    asset: 'USDC',
    unit: 1_000_000n,
    fee: 0n,
    pay: (amount) => rig.pay(usdc(rig.payer, treasury, amount)),
    spend: (amount) => spendBy(scene, usdc(treasuryKey, rig.payer.publicKey, amount)),
    closeTokens: () => spendBy(scene, [closing(treasury)]),
  };
}

export interface TronNetwork extends ListedNetwork {
  payTo(address: string, amount: bigint): Promise<unknown>;
  /** From an agent's address to the shared one. */
  collect(from: string, amount: bigint): Promise<unknown>;
  /** The next balance that each provider tells is of before all payments. */
  lag(): void;
}

export async function tron(): Promise<TronNetwork> {
  const scene = await openTronPlatform();
  const { platform, paying, providers, recipient } = scene;
  return {
    platform,
    asset: 'USDT',
    unit: 1_000_000n,
    fee: 0n,
    pay: (amount) => scene.usdt(recipient, amount),
    spend: (amount) => scene.ours(newTronAddress(), amount),
    payTo: (address, amount) => scene.usdt(address, amount),
    collect: (from, amount) => scene.sentBy(from, recipient, amount),
    lag() {
      for (const provider of providers) {
        let isBehind = true;
        provider.on('eth_call', async (_, forward) => {
          if (!isBehind) return forward();
          isBehind = false;
          return `0x${'0'.repeat(64)}`;
        });
      }
    },
    async end() {
      await paying.finalize();
      const block = await paying.evm.send('eth_getBlockByNumber', ['finalized', false]);
      return Number((block as { number: string }).number);
    },
    hide: () => providers.forEach((provider) => provider.on('eth_getLogs', async () => [])),
    show: () => providers.forEach((provider) => provider.honest()),
    close: () => scene.close(),
  };
}
