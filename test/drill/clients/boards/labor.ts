import { OPERATOR } from '../../calls/call.ts';
import type { Answer } from '../../calls/client.ts';
import type { Domain } from '../domain.ts';
import { microsOf, type Participant } from '../goods.ts';

/** A labor task as it must be, from the replies to its parties. Micro-dollars. */
interface ExpectedLabor {
  readonly id: number;
  readonly reward: number;
  readonly units: number;
  readonly isChecked: boolean;
  readonly worker: Participant;
  status: 'open' | 'completed' | 'cancelled';
  /** Claims that are final: of units that nobody will do again here. */
  accepted: number;
  rejected: number;
  /** The one that is worked on. */
  claim: { readonly id: number; status: string } | undefined;
  /** A call about it has no answer yet, or its worker may not appeal: nobody acts on it. */
  isWaiting: boolean;
}

const ANSWER = '{"label": "кот"}';
/** Half of the tasks are judged by their posters. */
const CHECKS = [
  {},
  {
    verification: 'schema',
    json_schema: { required: ['label'], properties: { label: { pattern: '^(\\p{L}+)+$' } } },
  },
] as const;

/** Operators look at each appeal: a worker has few open, and fewer if it loses most. */
const isLimited = ({ status, body }: Answer): boolean =>
  [409, 429].includes(status) && String(body.details?.limited_by).startsWith('appeals_');

/** Buyers post labor for sellers, who take and deliver units, and appeal against rejections. */
export const labor: Domain = {
  by: 'buyers',
  open(trader, { sellers }) {
    const { agent, client, random, wallet, wrong } = trader;
    const posted: ExpectedLabor[] = [];

    async function post(): Promise<void> {
      const operation = 'post_labor_task';
      const reward = 1_000 + random.below(400) * 10;
      const units = 1 + random.below(3);
      const budget = units * reward;
      const worker = random.pick(sellers);
      const key = trader.newKey(operation);
      const check = random.pick(CHECKS);
      const input = {
        kind: 'labeling',
        title: key,
        instructions: 'Say what it is.',
        reward: reward / 1e6,
        units: Array.from({ length: units }, (_, n) => ({ payload: `Unit ${n}: кот, "\\".` })),
        ...check,
      };
      await trader.perform({ agent, operation, input, key }, ({ status, body, text }) => {
        const isPoor = status === 402 && body.error === 'insufficient_balance';
        if (isPoor && (wallet.micros < budget || trader.hasDoubts())) return;
        if (status !== 200) return wrong(`labor for ${budget} was refused: ${text}`);
        wallet.micros -= budget;
        const isChecked = 'verification' in check;
        const fresh = { status: 'open' as const, accepted: 0, rejected: 0, claim: undefined };
        posted.push({
          id: body.task_id,
          reward,
          units,
          isChecked,
          worker,
          ...fresh,
          isWaiting: false,
        });
      });
    }

    /** The next thing that is done to labor of this agent's. */
    async function goOn(): Promise<void> {
      const task = posted.find(({ status, isWaiting }) => status === 'open' && !isWaiting);
      if (!task) return post();
      const { claim, worker } = task;
      const claim_id = claim?.id;
      switch (claim?.status) {
        case undefined:
          return task.accepted + task.rejected === task.units || random.below(8) === 0
            ? cancel(task)
            : takeUnit(task);
        case 'claimed':
          if (random.below(6) === 0) {
            return act(
              task,
              'labor_heartbeat',
              { by: worker, input: { claim_id } },
              () => undefined,
            );
          }
          return act(
            task,
            'deliver_labor_task',
            { by: worker, input: { claim_id, submission: ANSWER } },
            ({ body }) => become(task, body.status, task.isChecked ? 'accepted' : 'verifying'),
          );
        case 'verifying': {
          const verdict = random.pick(['accept', 'reject'] as const);
          const input = { claim_id, verdict, ...(verdict === 'reject' && { reason: 'No cat.' }) };
          const after = verdict === 'accept' ? 'accepted' : 'rejected';
          return act(task, 'judge_labor_claim', { by: agent, input }, ({ body }) =>
            become(task, body.status, after),
          );
        }
        case 'rejected': {
          const input = { claim_id, reason: 'A cat.' };
          return act(task, 'labor_appeal', { by: worker, input }, (answer) => {
            task.isWaiting = isLimited(answer);
            if (!task.isWaiting) become(task, answer.body.status, 'appealed');
          });
        }
        default:
          return decide(task);
      }
    }

    const takeUnit = (task: ExpectedLabor) =>
      act(task, 'take_labor_task', { by: task.worker, input: {} }, ({ body }) => {
        task.claim = { id: body.claim_id, status: body.status };
      });

    async function decide(task: ExpectedLabor): Promise<void> {
      const operation = 'decide_labor_appeal';
      const verdict = random.pick(['accept', 'reject'] as const);
      const input = { claim_id: task.claim!.id, verdict, note: 'Decided during a drill.' };
      task.isWaiting = true;
      const answer = await client({ agent: OPERATOR, operation, input, repeatable: true });
      task.isWaiting = false;
      // The operator has no keys: a repeat gets 409 when its lost first call had decided.
      if (answer?.status !== 200 && !(answer?.status === 409 && answer.uncertain)) {
        return wrong(`${operation} of labor task ${task.id} was refused: ${answer?.text}`);
      }
      if (verdict === 'accept') return become(task, 'accepted', 'accepted');
      task.rejected += 1;
      task.claim = undefined;
    }

    /** The claim has this status, which it must have. */
    function become(task: ExpectedLabor, status: string, must: string): void {
      if (status !== must) wrong(`a claim of labor task ${task.id} is ${status}, and not ${must}`);
      task.claim = { id: task.claim!.id, status: must };
      if (must !== 'accepted') return;
      task.claim = undefined;
      task.accepted += 1;
      task.worker.wallet.micros += task.reward;
      if (task.accepted === task.units) task.status = 'completed';
    }

    const cancel = (task: ExpectedLabor) =>
      act(task, 'cancel_labor_task', { by: agent, input: {} }, ({ body }) => {
        if (body.status !== 'cancelled' || microsOf(body.paid) !== task.accepted * task.reward) {
          wrong(`labor task ${task.id} is ${body.status}, and paid ${body.paid}`);
        }
        wallet.micros += heldOf(task);
        task.status = 'cancelled';
      });

    async function act(
      task: ExpectedLabor,
      operation: string,
      { by, input }: { by: { id: number; token: string }; input: object },
      onDone: (answer: Answer) => void,
    ): Promise<void> {
      task.isWaiting = true;
      const key = trader.newKey(operation);
      const call = { agent: by, operation, input: { task_id: task.id, ...input }, key };
      await trader.perform(call, (answer) => {
        task.isWaiting = false;
        if (answer.status === 200 || isLimited(answer)) onDone(answer);
        else wrong(`${operation} of labor task ${task.id} was refused: ${answer.text}`);
      });
    }

    const heldOf = ({ status, units, accepted, reward }: ExpectedLabor) =>
      status === 'open' ? (units - accepted) * reward : 0;

    return {
      steps: [
        { weight: 1, run: post },
        { weight: 5, run: goOn },
      ],
      held: () => posted.reduce((sum, task) => sum + heldOf(task), 0),
      async compare({ database, same }) {
        const found = await database.query(
          `select t.id::int, t.status, t.units, t.paid::int, (
                    select count(*)::int from labor_claim c where c.task_id = t.id) as claims
             from labor_task t where t.poster_id = $1 order by t.id`,
          [agent.id],
        );
        const told = posted.map(({ id, status, units, accepted, rejected, reward, claim }) => {
          const claims = accepted + rejected + (claim ? 1 : 0);
          return { id, status, units, paid: accepted * reward, claims };
        });
        same('labor', `labor of agent ${agent.id}`, {
          found,
          told: told.toSorted((a, b) => a.id - b.id),
        });
      },
    };
  },
};
