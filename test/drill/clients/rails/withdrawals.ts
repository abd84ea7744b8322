import { countsOf } from '../../calls/history.ts';
import { newAddress } from '../../../withdrawals/chain.ts';
import type { Domain } from '../domain.ts';
import { microsOf } from '../goods.ts';
import { nothing } from './nothing.ts';

/** A withdrawal as it must be, from the replies to its agent. */
interface ExpectedWithdrawal {
  readonly id: number;
  /** An address of its own, so that a second payment would be seen. */
  readonly address: string;
  readonly micros: number;
  isCancelled: boolean;
  /** A call that cancels it may happen yet. */
  isWaiting: boolean;
}

/** Who has less may have no cash, and only credit. */
const FUNDED_MICROS = 1_000_000_000;
/** Before one is cancelled. */
const PAUSES_MAX = 8;
const CENTS_MIN = 100;
const CENTS_MORE = 200;

/** Buyers take cash out, look what becomes of it, and cancel some of it in time. */
export const withdrawals: Domain = {
  by: 'buyers',
  open(trader, { deployment }) {
    const { chain } = deployment.outside;
    if (!chain) return nothing;
    const { agent, client, random, wallet, wrong } = trader;
    const all: ExpectedWithdrawal[] = [];
    const open = new Set<ExpectedWithdrawal>();
    const paid = countsOf(trader.history, 'paid withdrawal');

    async function ask(): Promise<void> {
      const operation = 'withdraw';
      const micros = (CENTS_MIN + random.below(CENTS_MORE)) * 10_000;
      const address = newAddress();
      const call = { agent, operation, input: { amount: micros / 1e6, address } };
      await trader.perform({ ...call, key: trader.newKey(operation) }, ({ status, body, text }) => {
        const isPoor = status === 402 && body.error === 'insufficient_balance';
        if (isPoor && wallet.micros < FUNDED_MICROS) return;
        if (status !== 200) return wrong(`a withdrawal of ${micros} was refused: ${text}`);
        if (microsOf(body.amount) !== micros) wrong(`a withdrawal is ${body.amount}`);
        wallet.micros -= micros;
        const id = body.withdrawal_id as number;
        const made = { id, address, micros, isCancelled: false, isWaiting: false };
        all.push(made);
        open.add(made);
      });
    }

    async function look(): Promise<void> {
      if (open.size === 0) return ask();
      const call = { agent, operation: 'list_withdrawals', input: { limit: 100 } };
      const answer = await client({ ...call, repeatable: true });
      const listed: { withdrawal_id: number; status: string }[] = answer!.body.withdrawals;
      for (const withdrawal of open) {
        const { id, isWaiting } = withdrawal;
        const status = listed.find(({ withdrawal_id }) => withdrawal_id === id)?.status;
        if (status === 'requested' || status === 'processing') continue;
        if (status === 'cancelled' && isWaiting) continue;
        if (status !== 'paid') wrong(`withdrawal ${id} is ${status}`);
        open.delete(withdrawal);
        paid.performed += 1;
      }
    }

    /** At once or a little later, when its payment may have begun. */
    async function cancel(): Promise<void> {
      const before = all.length;
      await ask();
      const last = all[before];
      if (!last) return;
      for (let pauses = random.below(PAUSES_MAX); pauses > 0; pauses -= 1) {
        await client.pause('cancel_withdrawal');
      }
      const operation = 'cancel_withdrawal';
      last.isWaiting = true;
      const call = { agent, operation, input: { withdrawal_id: last.id } };
      await trader.perform({ ...call, key: trader.newKey(operation) }, ({ status, body, text }) => {
        last.isWaiting = false;
        const isLate = status === 409 && body.error === 'invalid_transition';
        if (isLate) return;
        if (status !== 200) return wrong(`withdrawal ${last.id} was not cancelled: ${text}`);
        last.isCancelled = true;
        wallet.micros += last.micros;
        open.delete(last);
      });
    }

    return {
      steps: [
        { weight: 1, run: ask },
        { weight: 2, run: look },
        { weight: 1, run: cancel },
      ],
      // Open ones may be paid at any moment.
      held: () => (open.size === 0 ? 0 : undefined),
      async compare({ database, same }) {
        const found: { id: number; micros: number; status: string }[] = await database.query(
          `select id::int, amount::int as micros, status from withdrawal
            where agent_id = $1 order by id`,
          [agent.id],
        );
        same('withdrawals', `withdrawals of agent ${agent.id}`, {
          found: found.map(({ id, micros, status }) => [id, micros, status === 'cancelled']),
          told: all
            .toSorted((one, other) => one.id - other.id)
            .map(({ id, micros, isCancelled }) => [id, micros, isCancelled]),
        });
        for (const { id, address, micros } of all) {
          const status = found.find((row) => row.id === id)?.status;
          const arrived = Number(await chain.evm.balanceOf(address));
          const isInFlight = status === 'processing' && arrived === micros;
          same('withdrawals', `what arrived of withdrawal ${id}, ${status}`, {
            found: arrived,
            told: status === 'paid' || isInFlight ? micros : 0,
          });
        }
      },
    };
  },
};
