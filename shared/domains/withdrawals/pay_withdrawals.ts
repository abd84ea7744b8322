import { runAgain, timer } from '../../jobs/timers/timer.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { clean } from '../../kernel/text.ts';
import { column, execute, row } from '../../platform/rows.ts';
import { close, tell } from './closing.ts';
import { selectPayable, type DueWithdrawal } from './due_withdrawals.ts';
import { begin, faultOf, lockHotWallet, noteFault, type HotWallet } from './hot_wallet.ts';
import { findOut, findRound, isOnChain, isUsedUp, PAYMENTS_MAX } from './payments.ts';
import type { Finding, Findings, Trial } from './payments.ts';
import type { WalletState } from './payout_gateway.ts';
import { lockWithdrawal, type Need } from './withdrawal.ts';

const NAME = 'pay_withdrawals';
const WEI_A_GWEI = 1_000_000_000n;

/**
 * Runs one round of payments. A payment gets its nonce in one round, is signed and stored in the
 * next, and sent in a later one, so that after any crash the hash of every transaction that may be
 * on the chain is known. Until it is final it is looked up in each round, and sent again unchanged
 * if the chain does not know it.
 */
export const payWithdrawals = timer({
  name: NAME,
  title: 'Pay withdrawals',
  summary: 'Internal: pays withdrawals on their chain, and checks payments.',
  everyMs: 10_000,
  gatherMs: 60_000,
  output: Output({
    begun: Type.Integer({ description: 'Withdrawals that got their nonce.' }),
    signed: Type.Integer({ description: 'Transactions signed.' }),
    closed: Type.Integer({ description: 'Withdrawals paid or failed.' }),
  }),

  async prepare(tx) {
    return { round: await findRound(tx.db, tx.config), feeMax: feeMaxOf(tx) };
  },

  async gather({ payouts }, _input, _call, { round, feeMax }) {
    return { round, found: await findOut(payouts, round, feeMax) };
  },

  async handle(tx, _input, { round, found }) {
    if (!found) return { begun: 0, signed: 0, closed: 0 };
    const refused = found.trials.filter(({ refusal }) => refusal !== undefined);
    const trees = [...round.open, ...refused].map(({ root_id }) => root_id);
    await lockTreasuries(tx.db, [...new Set(trees)]);
    let [signed, closed] = [0, 0];
    for (const finding of found.findings) {
      signed += await store(tx, finding);
      closed += await conclude(tx, finding, found.wallet);
    }
    for (const one of refused) closed += await giveBack(tx, one);
    const begun = await beginDue(tx, round.due, found);
    // The next round starts at once, not in ten seconds, to send the signed transactions.
    if (begun + signed > 0) await runAgain(tx, NAME);
    return { begun, signed, closed };
  },
});

const feeMaxOf = ({ config }: Pick<Tx, 'config'>) =>
  BigInt(config.withdrawals.base.gweiMax) * WEI_A_GWEI;

/** Stores signed bytes, once an attempt: of two rounds at once, the bytes of the first count. */
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

/** Closes a payment that is final, or records its state. Resolves with the number closed. */
async function conclude(tx: Tx, finding: Finding, wallet: WalletState): Promise<number> {
  const { fate, fault, payment } = finding;
  if (fault !== undefined) {
    tx.log.warn({ withdrawal_id: payment.id, fault }, 'a payment was not looked up; it will be');
    return 0;
  }
  const withdrawal = await lockWithdrawal(tx.db, payment.id);
  if (withdrawal?.status !== 'processing') return 0;
  if (fate?.status === 'paid') {
    await close(tx, withdrawal, { status: 'paid', hash: fate.hash, block: fate.block });
    crashPoint('P3', [String(payment.id)]);
    return 1;
  }
  if (fate?.status === 'failed') {
    const failure = 'The token refused the transaction on the chain: nothing was paid.';
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
    tx.log.warn(facts, 'a provider refused a payment; it is sent again');
  }
  return 0;
}

function needOf(finding: Finding, { finalBlock }: WalletState): Need | undefined {
  const { payment, fate, takenAt, isOfOtherWallet } = finding;
  if (isOfOtherWallet) return 'other_wallet';
  if (fate?.status === 'odd') return 'odd_transaction';
  // A nonce used then and still used is final: providers may not answer questions about the past.
  if (takenAt !== undefined && takenAt <= finalBlock) return 'nonce_taken';
  return fate?.status === 'unknown' && isUsedUp(payment) ? 'not_mined' : undefined;
}

/** Returns the money of a withdrawal that the token refuses in a trial. Its tree is locked. */
async function giveBack(tx: Tx, { id, refusal }: Trial): Promise<number> {
  const withdrawal = await lockWithdrawal(tx.db, id);
  if (withdrawal?.status !== 'requested') return 0;
  const failure = `USDC refuses a payment to this address: ${clean(refusal!).slice(0, 200)}`;
  await close(tx, withdrawal, { status: 'failed', failure });
  return 1;
}

/** Gives nonces to due withdrawals, as far as the wallet can pay them beside all open payments. */
async function beginDue(tx: Tx, due: readonly DueWithdrawal[], found: Findings): Promise<number> {
  const { wallet: state, findings, trials } = found;
  const wallet = await lockHotWallet(tx.db, state);
  const fault = faultOf(wallet, state);
  const open = await openNow(tx, wallet, findings);
  const max = fault === undefined ? PAYMENTS_MAX - open.all : 0;
  const isTaken = new Set(trials.filter((one) => isTakenIn(tx, one)).map(({ id }) => id));
  const plan = selectPayable(due, { state, open, feeMax: feeMaxOf(tx), max });
  let begun = 0;
  for (const { id } of plan.chosen) {
    const one = isTaken.has(id) && (await begin(tx.db, wallet, id));
    if (!one) continue;
    begun += 1;
    await tell(tx.db, one, 'processing');
  }
  await noteFault(tx.db, wallet, fault ?? plan.fault ?? null);
  return begun;
}

function isTakenIn({ log }: Tx, { id, refusal, fault }: Trial): boolean {
  if (fault !== undefined) {
    log.warn({ withdrawal_id: id, fault }, 'a payment could not be tried, and does not begin yet');
  }
  return refusal === undefined && fault === undefined;
}

/** The sum of open payments, with those another round has begun since. Its row is locked. */
function openNow({ db }: Tx, { id }: HotWallet, findings: readonly Finding[]) {
  const onChain = findings.filter((finding) => isOnChain(finding));
  return row(
    db,
    { usdc: column.micros, payments: column.int, all: column.int },
    `select coalesce(sum(amount) filter (where id <> all ($2)), 0)::bigint as usdc,
            count(*) filter (where id <> all ($2))::int as payments, count(*)::int as all
       from withdrawal where closed_at is null and wallet_id = $1`,
    [id, onChain.map(({ payment }) => payment.id)],
  );
}
