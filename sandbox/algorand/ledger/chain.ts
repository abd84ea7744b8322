import type { SignedTransaction, Transaction } from 'algosdk';

import { GENESIS_HASH, GENESIS_ID } from '../genesis.ts';
import type { RunProgram } from '../program.ts';
import { applyTransaction } from './apply.ts';
import type { Effects } from './effects.ts';
import { readGroup } from './read_group.ts';
import { rejected } from './rejected.ts';
import { assertSigned } from './signatures.ts';
import { accountOf, layerOf, mergeLayer, openState, type State } from './state.ts';

export const FEE_MIN = 1_000n;
const WINDOW_ROUNDS_MAX = 1_000n;
const NOTE_BYTES_MAX = 1_024;
const CALL_BUDGET = 700;
const FIRST_ID = 1_000n;
/** Total supply, in micro-ALGO. */
const SUPPLY = 10_000_000_000_000_000n;

/** A transaction that the network has taken. */
export interface TakenTransaction {
  readonly id: string;
  readonly signed: SignedTransaction;
  readonly effects: Effects;
  readonly round: bigint;
  /** Position in its block. */
  readonly index: number;
  /** Unix seconds. */
  readonly time: bigint;
}

export interface Chain {
  /** The state after the last round. */
  readonly state: State;
  lastRound(): bigint;
  /** Time of a round, in Unix seconds. */
  timeOf(round: bigint): bigint;
  /** Takes a group for the next round, and returns its transactions. Throws Rejected. */
  take(bytes: Uint8Array): TakenTransaction[];
  /** The result that `take` would have. Unsigned transactions pass with `allowUnsigned`. */
  simulate(bytes: Uint8Array, allowUnsigned: boolean): TakenTransaction[];
  /** Finds a transaction, of any round or waiting for the next. */
  find(id: string): TakenTransaction | undefined;
  blockOf(round: bigint): readonly TakenTransaction[];
  /** All transactions up to the last round, oldest first. */
  confirmed(): readonly TakenTransaction[];
  waiting(): readonly TakenTransaction[];
  /** Ends all rounds up to this one; waiting transactions are in the first of them. */
  advanceTo(round: bigint): void;
}

interface ChainOptions {
  /** Address that has all money at first. */
  readonly bank: string;
  readonly runProgram: RunProgram;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Length of a round without transactions, for the times of past rounds. */
  readonly roundMs: number;
}

/** The rules of the network and its history, in memory. */
export function openChain({ bank, runProgram, now, roundMs }: ChainOptions): Chain {
  const state = openState();
  state.accounts.set(bank, { ...accountOf(state, bank), microAlgos: SUPPLY });
  const blocks = new Map<bigint, TakenTransaction[]>();
  const taken = new Map<string, TakenTransaction>();
  const confirmed: TakenTransaction[] = [];
  const leases = new Map<string, bigint>();
  let round = 1n;
  let time = seconds(now());
  let open = layerOf(state);
  let waiting: TakenTransaction[] = [];
  let transactions = 0n;

  function attempt(bytes: Uint8Array, allowUnsigned: boolean) {
    const group = readGroup(bytes);
    const txns = group.map(({ txn }) => txn);
    assertFees(txns);
    const layer = layerOf(open);
    const budget = { left: CALL_BUDGET * txns.filter((txn) => txn.applicationCall).length };
    const seen = new Set<string>();
    const made = group.map((signed, n): TakenTransaction => {
      const { txn } = signed;
      assertMayCome(txn);
      for (const name of [txn.txID(), ...(txn.lease ? [leaseOf(txn)] : [])]) {
        if (seen.has(name)) throw rejected(`twice in one group: ${name}`);
        seen.add(name);
      }
      const isSigned = signed.sig || signed.msig || signed.lsig || signed.pqsig;
      const sender = txn.sender.toString();
      if (isSigned || !allowUnsigned) {
        assertSigned(signed, accountOf(layer, sender).authAddress ?? sender);
      }
      const trial = layerOf(layer);
      const effects = applyTransaction(trial, txn, {
        round: round + 1n,
        timestamp: time,
        genesisHash: GENESIS_HASH,
        nextId: FIRST_ID + transactions + BigInt(n) + 1n,
        group: txns,
        index: n,
        budget,
        runProgram,
      });
      mergeLayer(trial);
      const index = waiting.length + n;
      return { id: txn.txID(), signed, effects, round: round + 1n, index, time: seconds(now()) };
    });
    return { layer, made };
  }

  function assertMayCome(txn: Transaction): void {
    const next = round + 1n;
    assertWellFormed(txn);
    if (next < txn.firstValid || next > txn.lastValid) {
      throw rejected(`txn dead: round ${next} outside of ${txn.firstValid}--${txn.lastValid}`);
    }
    if (taken.has(txn.txID())) throw rejected(`transaction already in ledger: ${txn.txID()}`);
    if ((leases.get(leaseOf(txn)) ?? 0n) >= next) throw rejected('overlapping lease');
  }

  return {
    state,
    lastRound: () => round,
    timeOf: (number) =>
      blocks.get(number)?.[0]?.time ?? time - ((round - number) * BigInt(roundMs)) / 1_000n,
    take(bytes) {
      const { layer, made } = attempt(bytes, false);
      mergeLayer(layer);
      for (const one of made) {
        const { txn } = one.signed;
        taken.set(one.id, one);
        if (txn.lease) leases.set(leaseOf(txn), txn.lastValid);
      }
      transactions += BigInt(made.length);
      waiting.push(...made);
      return made;
    },
    simulate: (bytes, allowUnsigned) => attempt(bytes, allowUnsigned).made,
    find: (id) => taken.get(id),
    blockOf: (number) => blocks.get(number) ?? [],
    confirmed: () => confirmed,
    waiting: () => waiting,
    advanceTo(number) {
      if (number <= round) return;
      if (waiting.length > 0) {
        mergeLayer(open);
        open = layerOf(state);
        blocks.set(round + 1n, waiting);
        confirmed.push(...waiting);
        waiting = [];
      }
      time = seconds(now());
      round = number;
    },
  };
}

function assertWellFormed({ genesisHash, genesisID, firstValid, lastValid, note }: Transaction) {
  if (!genesisHash || !GENESIS_HASH.equals(genesisHash)) throw rejected('genesis hash mismatch');
  if (genesisID && genesisID !== GENESIS_ID) throw rejected('genesis ID mismatch');
  if (lastValid < firstValid || lastValid - firstValid > WINDOW_ROUNDS_MAX) {
    throw rejected('transaction window size excessive');
  }
  if (note.length > NOTE_BYTES_MAX) throw rejected(`transaction note too big: ${note.length}`);
}

/** Any transaction of a group may pay the fees of all. */
function assertFees(group: readonly Transaction[]): void {
  const paid = group.reduce((sum, { fee }) => sum + fee, 0n);
  const least = FEE_MIN * BigInt(group.length);
  if (paid >= least) return;
  throw rejected(
    `txgroup had ${paid} in fees, which is less than the minimum ${group.length} * ${FEE_MIN}`,
  );
}

const leaseOf = ({ sender, lease }: Transaction): string =>
  lease ? `${sender.toString()} ${Buffer.from(lease).toString('hex')}` : '';

const seconds = (ms: number): bigint => BigInt(Math.floor(ms / 1_000));
