import type { Answer } from '../../calls/client.ts';
import type { Domain } from '../domain.ts';
import { microsOf, type Participant } from '../goods.ts';

/** A task as it must be, from the replies to its poster and its worker. Micro-dollars. */
interface ExpectedTask {
  readonly id: number;
  readonly budget: number;
  readonly worker: Participant;
  status: 'open' | 'approved' | 'cancelled';
  /** The bid; undefined: nobody has bid yet. */
  bid: number | undefined;
  /** A result that passes is paid when it is submitted; others are judged by the poster. */
  readonly isChecked: boolean;
  isSubmitted: boolean;
  /** A call about it has no answer yet: nobody acts on it. */
  isWaiting: boolean;
}

const RESULT = '{"key": "ключ"}';
/** By what the result is judged: half of the tasks by their posters. */
const CHECKS = [
  {},
  {},
  {
    verification_type: 'json_schema',
    json_schema: { required: ['key'], properties: { key: { pattern: '^(\\p{L}+)+$' } } },
  },
  {
    verification_type: 'assertions',
    assertions: [{ op: 'equals', value: 'ключ', path: '/key' }],
  },
] as const;

/** Buyers post tasks for sellers, who bid and submit; some are approved, some cancelled. */
export const tasks: Domain = {
  by: 'buyers',
  open(trader, { sellers }) {
    const { agent, random, wallet, wrong } = trader;
    const posted: ExpectedTask[] = [];
    const micros = (most: number) => 10_000 + random.below(most / 10) * 10;

    async function post(): Promise<void> {
      const operation = 'task_post';
      const budget = micros(40_000);
      const worker = random.pick(sellers);
      const key = trader.newKey(operation);
      const check = random.pick(CHECKS);
      const input = { title: key, budget: budget / 1e6, ...check };
      await trader.perform({ agent, operation, input, key }, ({ status, body, text }) => {
        const isPoor = status === 402 && body.error === 'insufficient_balance';
        if (isPoor && (wallet.micros < budget || trader.hasDoubts())) return;
        if (status !== 200) return wrong(`a task of ${budget} was refused: ${text}`);
        wallet.micros -= budget;
        const fresh = { status: 'open' as const, bid: undefined, isSubmitted: false };
        const isChecked = 'verification_type' in check;
        posted.push({ id: body.task_id, budget, worker, isChecked, ...fresh, isWaiting: false });
      });
    }

    const openOnes = () =>
      posted.filter(({ status, isWaiting }) => status === 'open' && !isWaiting);

    /** The next thing that is done to a task of this agent's. */
    async function goOn(): Promise<void> {
      const [task] = openOnes();
      if (!task) return post();
      if (random.below(6) === 0) return end(task, 'task_cancel', 'cancelled', 0);
      if (task.isSubmitted) {
        return end(task, 'task_approve', 'approved', task.bid ?? task.budget);
      }
      if (task.bid === undefined && random.below(2) === 0) return bid(task);
      const input = { result: RESULT };
      await act(task, 'task_submit', { by: task.worker, input }, ({ body }) => {
        const wanted = task.isChecked ? 'approved' : 'submitted';
        if (body.status !== wanted) wrong(`work on task ${task.id} is ${body.status}`);
        if (task.isChecked) settle(task, 'approved', task.bid ?? task.budget, body.paid);
        else task.isSubmitted = true;
      });
    }

    async function bid(task: ExpectedTask): Promise<void> {
      const amount = Math.min(task.budget, micros(40_000));
      const input = { bid_amount: amount / 1e6 };
      await act(task, 'task_bid', { by: task.worker, input }, () => {
        task.bid = amount;
      });
    }

    async function end(
      task: ExpectedTask,
      operation: string,
      status: ExpectedTask['status'],
      paid: number,
    ): Promise<void> {
      const isOverWork = status === 'cancelled' && task.isSubmitted;
      const input = isOverWork ? { reason: 'It is not needed.' } : {};
      await act(task, operation, { by: agent, input }, ({ body }) => {
        if (body.status !== status) wrong(`${operation} left task ${task.id} ${body.status}`);
        settle(task, status, paid, body.paid);
      });
    }

    function settle(
      task: ExpectedTask,
      status: ExpectedTask['status'],
      paid: number,
      told: number,
    ): void {
      if (microsOf(told) !== paid) wrong(`task ${task.id} paid ${told} and not ${paid}`);
      task.status = status;
      task.worker.wallet.micros += paid;
      wallet.micros += task.budget - paid;
    }

    async function act(
      task: ExpectedTask,
      operation: string,
      { by, input }: { by: { id: number; token: string }; input: object },
      onDone: (answer: Answer) => void,
    ): Promise<void> {
      task.isWaiting = true;
      const key = trader.newKey(operation);
      const call = { agent: by, operation, input: { task_id: task.id, ...input }, key };
      await trader.perform(call, (answer) => {
        task.isWaiting = false;
        if (answer.status === 200) onDone(answer);
        else wrong(`${operation} of task ${task.id} was refused: ${answer.text}`);
      });
    }

    return {
      steps: [
        { weight: 1, run: post },
        { weight: 4, run: goOn },
      ],
      held: () =>
        posted.reduce((sum, { status, budget }) => sum + (status === 'open' ? budget : 0), 0),
      async compare({ database, same }) {
        const found = await database.query(
          `select id::int, status, paid::int, budget::int from task where poster_id = $1 order by id`,
          [agent.id],
        );
        const told = posted.map(({ id, status, budget, bid: amount = budget }) => {
          return { id, status, paid: status === 'approved' ? amount : 0, budget };
        });
        same('tasks', `tasks of agent ${agent.id}`, {
          found,
          told: told.toSorted((a, b) => a.id - b.id),
        });
      },
    };
  },
};
