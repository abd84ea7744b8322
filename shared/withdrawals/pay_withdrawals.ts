import { operation, type Tx } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { crashPoint } from '../platform/crash_point.ts';
import { column, execute, rows } from '../platform/rows.ts';
import { close, tell } from './closing.ts';
import { begin, faultOf, lockHotWallet, noteFault } from './hot_wallet.ts';
import { findOut, findRound, isUsedUp, type Finding, type Findings } from './payments.ts';
import type { WalletState } from './payout_gateway.ts';
import { lockWithdrawal, type Need } from './withdrawal.ts';

const NAME = 'pay_withdrawals';
const WEI_A_GWEI = 1_000_000_000n;

/**
 * One round of payments. A payment gets its nonce in one round, is signed and stored in the next,
 * and sent in one after that, so whatever is killed in between, what may be on the chain is known
 * by its hash. Until it is final it is looked up in each round, and sent again as it was where the
 * chain does not know it.
 */
export const payWithdrawals = operation({
  name: NAME,
  title: 'Pay withdrawals',
  summary: 'Internal: pays withdrawals on their chain, and finds out what became of payments.',
  access: 'operator',
  mode: 'job',
  domain: 'withdrawals',
  queue: 'timers',
  everyMs: 10_000,
  gatherMs: 60_000,
  input: Input({}),
  output: Output({
    begun: Type.Integer({ description: 'Withdrawals that got their nonce.' }),
    signed: Type.Integer({ description: 'Transactions that were signed.' }),
    closed: Type.Integer({ description: 'Withdrawals that were paid or failed.' }),
  }),

  async prepare(tx) {
    return { round: await findRound(tx.db, tx.config), feeMax: feeMaxOf(tx) };
  },

  async gather({ payouts }, _input, _call, { round, feeMax }) {
    return { round, found: await findOut(payouts, round, feeMax) };
  },

  async handle(tx, _input, { round, found }) {
    if (!found) return { begun: 0, signed: 0, closed: 0 };
    await lockTreasuries(tx.db, [...new Set(round.open.map(({ root_id }) => root_id))]);
    let [signed, closed] = [0, 0];
    for (const finding of found.findings) {
      signed += await store(tx, finding);
      closed += await conclude(tx, finding, found.wallet);
    }
    const begun = await beginDue(tx, round.due, found);
    // What was signed is sent at once, and not in ten seconds.
    if (begun + signed > 0) await tx.enqueue(itself, {}, { cause: 'next' });
    return { begun, signed, closed };
  },
});

const itself = { name: NAME, queue: 'timers', input: Input({}) } as const;

const feeMaxOf = ({ config }: Pick<Tx, 'config'>) =>
  BigInt(config.withdrawals.base.gweiMax) * WEI_A_GWEI;

/** Stores what was signed, once an attempt: of two rounds at once, the bytes of one count. */
async function store({ db }: Tx, { payment, signed }: Finding): Promise<number> {
  if (!signed) return 0;
  return execute(
    db,
    `insert into payout_transaction (withdrawal_id, attempt, max_fee, priority_fee, hash, bytes)
     values ($1, $2, $3, $4, $5, $6) on conflict (withdrawal_id, attempt) do nothing
     returning attempt`,
    [
      payment.id,
      payment.transactions.length + 1,
      signed.fees.max,
      signed.fees.priority,
      signed.hash,
      signed.bytes,
    ],
  );
}

/** Ends what is final, and notes what was seen of the rest. How many it ended. */
async function conclude(tx: Tx, finding: Finding, wallet: WalletState): Promise<number> {
  const { fate, payment } = finding;
  const withdrawal = await lockWithdrawal(tx.db, payment.id);
  if (withdrawal?.status !== 'processing') return 0;
  if (fate?.status === 'paid') {
    await close(tx, withdrawal, { status: 'paid', hash: fate.hash, block: fate.block });
    crashPoint('P3', [String(payment.id)]);
    return 1;
  }
  if (fate?.status === 'failed') {
    const failure = 'The chain took its transaction and the token refused it: nothing was paid.';
    await close(tx, withdrawal, { status: 'failed', failure, hash: fate.hash });
    return 1;
  }
  const mined = fate?.status === 'mined' || fate?.status === 'odd' ? fate : undefined;
  await execute(
    tx.db,
    `update withdrawal set tx_hash = $2, block_number = $3, needs = $4, taken_at = $5
      where id = $1`,
    [
      payment.id,
      mined?.hash ?? null,
      mined?.block ?? null,
      needOf(finding, wallet) ?? null,
      finding.takenAt ?? null,
    ],
  );
  if (finding.refused?.length) {
    const facts = { withdrawal_id: payment.id, said: finding.refused };
    tx.log.warn(facts, 'a provider did not take a payment; it is sent again');
  }
  return 0;
}

function needOf(finding: Finding, { finalBlock }: WalletState): Need | undefined {
  const { payment, fate, takenAt, isOfOtherWallet } = finding;
  if (isOfOtherWallet) return 'other_wallet';
  if (fate?.status === 'odd') return 'odd_transaction';
  // What was used then, and still is, is final: a provider asked for the past may not know it.
  if (takenAt !== undefined && takenAt <= finalBlock) return 'nonce_taken';
  return fate?.status === 'unknown' && isUsedUp(payment) ? 'not_mined' : undefined;
}

/** Gives nonces to those that are due, as far as the wallet has the money for all that is open. */
async function beginDue(
  tx: Tx,
  due: readonly number[],
  { wallet: state, findings }: Findings,
): Promise<number> {
  const wallet = await lockHotWallet(tx.db, state);
  const isOnChain = ({ fate }: Finding) => fate !== undefined && fate.status !== 'unknown';
  const open = findings.filter((finding) => !isOnChain(finding));
  let usdc = open.reduce((sum, { payment }) => sum + payment.amount, 0n);
  let payments = open.length;
  let begun = 0;
  let fault: string | undefined;
  for (const { id, amount } of await amountsOf(tx, due)) {
    const needed = { usdc: usdc + amount, payments: payments + 1, feeMax: feeMaxOf(tx) };
    fault = faultOf(wallet, state, needed);
    if (fault) break;
    const one = await begin(tx.db, wallet, id);
    if (!one) continue;
    usdc += amount;
    payments += 1;
    begun += 1;
    await tell(tx.db, one, 'processing');
  }
  await noteFault(tx.db, wallet, fault ?? null);
  return begun;
}

/** In the order in which they were asked for. */
function amountsOf({ db }: Tx, due: readonly number[]) {
  const sql = 'select id, amount from withdrawal where id = any ($1) order by id';
  return rows(db, { id: column.id, amount: column.micros }, sql, [due]);
}
