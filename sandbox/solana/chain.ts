import { existsSync, readFileSync } from 'node:fs';

import type { Keypair } from '@solana/web3.js';
import type { LiteSVM } from 'litesvm';

import { toBase58 } from '../../shared/domains/deposits/solana/base58.ts';
import { storeValue } from '../../local/stored_values.ts';
import { execute, parse, refused, simulate, type Execution } from './execute.ts';
import { openSlots, type Slots } from './slots.ts';
import { accountsOf, machineWith, type StoredAccount } from './stored_accounts.ts';
import { accountAt, TOKEN_PROGRAM, type Account } from './token_account.ts';
import { faucetOf, SOLANA_USDC, USDC_DECIMALS } from './usdc.ts';

export interface ChainOptions {
  /** Identity of the network: base 58 of 32 bytes. Each sandbox has its own. */
  readonly genesis: string;
  /** First slot. It must be later than all slots of an earlier start. */
  readonly firstSlot?: number;
  /** Folder for its state. Absent: it is not stored. */
  readonly folder?: string;
}

/** A transaction, with its slot. */
export interface RecordedTransaction extends Execution {
  readonly slot: number;
  /** Seconds since 1970. */
  readonly time: number;
}

/**
 * Accounts, slots and transactions. Execution is real: programs, fees and signatures are those of
 * Solana. Consensus is not: there is one node, which takes everything at once.
 */
export interface SolanaChain {
  readonly genesis: string;
  readonly slots: Slots;
  /** Account with unlimited SOL, which also mints the sandbox's USDC. */
  readonly faucet: Keypair;
  svm(): LiteSVM;
  /** Runs a signed transaction in a slot of its own. Returns its signature. Throws RpcError. */
  send(bytes: Uint8Array, options?: { readonly skipPreflight?: boolean }): string;
  find(signature: string): RecordedTransaction | undefined;
  count(): number;
  /** Transactions that name an address, newest first. */
  of(address: string): readonly RecordedTransaction[];
  /** Starts a possible fork. The returned function drops everything done since. */
  fork(): () => void;
  /** Writes the changes since the last time, if it has a folder. */
  save(): void;
}

const STATE = 'solana_state';

export function openSolanaChain({ genesis, firstSlot = 1, folder }: ChainOptions): SolanaChain {
  const kept = folder === undefined ? undefined : readState(folder, genesis);
  const faucet = faucetOf(genesis);
  let svm = machineWith(kept?.accounts ?? []);
  let transactions = new Map(kept?.transactions.map((found) => [found.signature, found]));
  let isChanged = false;
  const slots = openSlots(() => svm, Math.max(firstSlot, (kept?.slot ?? 0) + 1));
  if (!kept) {
    provide(svm, faucet);
    isChanged = true;
  }
  /** Accounts that transactions named; all others are as in a new chain. */
  function accounts(): StoredAccount[] {
    const named = [...transactions.values()].flatMap(({ keys }) => keys);
    return accountsOf(svm, new Set([faucet.publicKey.toBase58(), SOLANA_USDC, ...named]));
  }

  return {
    genesis,
    slots,
    faucet,
    svm: () => svm,
    send(bytes, { skipPreflight = false } = {}) {
      const { message, signatures } = parse(bytes).transaction;
      // A machine restored from accounts does not know what it has executed.
      if (transactions.has(toBase58(signatures[0]!))) throw refused('AlreadyProcessed');
      if (!slots.isValid(message.recentBlockhash)) throw refused('BlockhashNotFound');
      if (!skipPreflight) {
        const { error, logs } = simulate(svm, bytes);
        if (error !== null) throw refused(error, logs);
      }
      const execution = execute(svm, bytes);
      const slot = slots.current();
      transactions.set(execution.signature, { ...execution, slot, time: slots.timeOf(slot)! });
      isChanged = true;
      slots.advance();
      return execution.signature;
    },
    find: (signature) => transactions.get(signature),
    count: () => transactions.size,
    of: (address) =>
      [...transactions.values()].filter(({ keys }) => keys.includes(address)).toReversed(),
    fork() {
      const before = { accounts: accounts(), transactions: new Map(transactions) };
      return () => {
        svm = machineWith(before.accounts);
        transactions = new Map(before.transactions);
        isChanged = true;
        slots.advance();
      };
    },
    save() {
      if (folder === undefined || !isChanged) return;
      isChanged = false;
      const state = {
        genesis,
        slot: slots.current(),
        accounts: accounts(),
        transactions: [...transactions.values()].map((found) => ({
          ...found,
          bytes: base64(found.bytes),
        })),
      };
      storeValue(folder, STATE, JSON.stringify(state));
    },
  };
}

/** Adds what real networks have and a new one lacks: money, and the mint of USDC. */
function provide(svm: LiteSVM, faucet: Keypair): void {
  const account = (address: string, owner: string, lamports: bigint, data: Uint8Array) =>
    svm.setAccount({
      address,
      programAddress: owner,
      lamports,
      data,
      executable: false,
      space: BigInt(data.length),
    } as unknown as Account);
  const system = '11111111111111111111111111111111';
  account(faucet.publicKey.toBase58(), system, 10n ** 17n, new Uint8Array());
  if (accountAt(svm, SOLANA_USDC)) return;
  const mint = Buffer.alloc(82);
  mint.writeUInt32LE(1, 0);
  mint.set(faucet.publicKey.toBytes(), 4);
  mint[44] = USDC_DECIMALS;
  mint[45] = 1; // It is initialized.
  account(SOLANA_USDC, TOKEN_PROGRAM, svm.minimumBalanceForRentExemption(82n), mint);
}

interface State {
  readonly genesis: string;
  readonly slot: number;
  readonly accounts: readonly StoredAccount[];
  readonly transactions: readonly RecordedTransaction[];
}

/** Undefined: there is none, or it is of another network. */
function readState(folder: string, genesis: string): State | undefined {
  const file = `${folder}/${STATE}`;
  if (!existsSync(file)) return undefined;
  const state = JSON.parse(readFileSync(file, 'utf8'));
  // An earlier version stored the bytes of a machine instead: that chain starts anew.
  if (state.genesis !== genesis || !state.accounts) return undefined;
  return {
    ...state,
    transactions: state.transactions.map((found: { bytes: string }) => ({
      ...found,
      bytes: Buffer.from(found.bytes, 'base64'),
    })),
  };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
