import { jobOf } from '../../jobs/accept.ts';
import { Deferral } from '../../jobs/deferral.ts';
import { insertJobs, newJobId } from '../../jobs/jobs.ts';
import type { Answer } from '../../kernel/call.ts';
import type { DryRun } from '../../kernel/terms/dry_run.ts';
import { WAIT_FOR_CHILD_JOBS, type AnyOperation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import { inTransaction } from '../../performing/transaction.ts';
import { balanceOf, spendableOf, sumOf } from '../../domains/ledger/ledger.ts';
import { takenHere } from '../../domains/ledger/taken_here.ts';
import { factsOf, type Invocation, type Invoking } from './invocation.ts';

/** Ends the transaction of a dry run, which is rolled back. */
class Undone extends Error {}

/**
 * Performs a call in a transaction that is rolled back, and answers what it would have done. So the
 * rules are those of the call itself: there is no second copy of them. Sequences alone move on.
 */
export async function dryRun(
  invoking: Invoking,
  op: AnyOperation,
  call: Invocation,
): Promise<Answer> {
  const { context } = invoking;
  const facts = factsOf(invoking, call, newJobId(context.clock.now()));
  const undone = (work: (tx: Tx) => Promise<void>) =>
    inTransaction(context, facts, async (tx) => {
      if (op.mode === 'job') {
        await insertJobs(tx.db, [{ ...jobOf(context, op, call), id: facts.key, input: {} }]);
      }
      await work(tx);
      throw new Undone();
    }).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  const { input } = call;
  let before = 0n;
  const answer = (would: DryRun['would'], takes: Micros | null, refusal?: Refusal): Answer => {
    const left = before > (takes ?? 0n) ? before - (takes ?? 0n) : 0n;
    const body: DryRun = {
      dry_run: true,
      would,
      takes: takes === null ? null : toUsd(takes),
      balance_after: toUsd(left),
      refusal: refusal
        ? { error: refusal.code, message: refusal.message, details: refusal.details }
        : null,
    };
    return { status: 200, body: JSON.stringify(body), isDryRun: true };
  };
  try {
    let cost = 0n;
    await undone(async (tx) => {
      before = await spendable(tx);
      cost = await costOf(tx, op, input);
    });
    return answer('succeed', cost);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!(error instanceof Deferral)) return answer('be_refused', null, error);
    try {
      await undone(async (tx) => void (await error.record(tx, { operation: op.name, input })));
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return answer('be_refused', null, refusal);
    }
    return answer('wait_for_approval', null, error);
  }
}

/** Price of the call; the most that it may be, where only systems outside know more. */
async function costOf(tx: Tx, op: AnyOperation, input: object): Promise<Micros> {
  const { assumedFacts } = op.effects!;
  const most = async () => (await op.paid?.costOf(tx, input))?.amount;
  if (op.gather && assumedFacts === undefined) {
    await op.prepare?.(tx, input);
    return (await most())!;
  }
  // Read before `handle` changes its object. The refusal that counts is that of `handle`.
  const price = await most().catch(undefinedIfRefused);
  let output: unknown;
  const taken = await takenHere(tx.db, tx.caller.rootId, async () => {
    output = await op.handle(tx, input, assumedFacts);
    if (output instanceof Refusal) throw output;
  });
  return output === WAIT_FOR_CHILD_JOBS ? price! : taken;
}

const spendable = async ({ db, caller }: Tx): Promise<Micros> =>
  sumOf(spendableOf(await balanceOf(db, caller.rootId)));

function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof Refusal)) throw error;
}
