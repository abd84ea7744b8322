import { randomUUID } from 'node:crypto';

import type { Agent } from '../calls/call.ts';
import type { Domain } from './domain.ts';
import { costOf, newAddress, PRICE, type Validation } from './email/validation.ts';

/**
 * Buyers have an agent whose every call waits for them, and decide about its calls. These calls are
 * repeated until they are answered, so nothing about them is in doubt.
 */
export const approvals: Domain = {
  by: 'buyers',
  open(trader) {
    const { agent, client, random, wallet, wrong } = trader;
    let child: Agent | undefined;
    const decided = { approved: 0, denied: 0, cancelled: 0 };
    let paid = 0;

    async function call(by: Agent, operation: string, input: object) {
      const answer = await client({
        agent: by,
        operation,
        input: { ...input },
        key: trader.newKey(operation),
      });
      if (!answer || answer.status >= 400) wrong(`${operation} was refused: ${answer?.text}`);
      return answer;
    }

    /** A child whose key is known: a key is shown once, and that answer may be lost. */
    async function ownChild(): Promise<Agent> {
      while (!child) {
        const input = { name: `a${randomUUID().slice(0, 20)}`, permissions: ['read', 'buy'] };
        const spawned = await call(agent, 'spawn_agent', input);
        const { agent: made, api_key } = spawned!.body;
        const limits = { agent_id: made.agent_id, approval_threshold: 0 };
        await call(agent, 'set_policy', limits);
        if (api_key.key) child = { id: made.agent_id, token: api_key.key };
      }
      return child;
    }

    /** Its job, once it no longer waits. */
    async function ended(by: Agent, poll: string) {
      const job_id = poll.split('/').pop()!;
      for (;;) {
        const look = { agent: by, operation: 'get_job', input: { job_id }, repeatable: true };
        const { body } = (await client(look))!;
        if (body.status !== 'pending') return body;
        await client.pause('get_job');
      }
    }

    async function decide(): Promise<void> {
      const by = await ownChild();
      const email = newAddress(random);
      const asked = await client({
        agent: by,
        operation: 'validate_email',
        input: { email },
        key: trader.newKey('validate_email'),
      });
      const isPoor = asked?.status === 402 && asked.body.error === 'insufficient_balance';
      if (isPoor && (wallet.micros < PRICE || trader.hasDoubts())) return;
      if (asked?.status !== 202) return wrong(`${by.id} was answered ${asked?.text}`);
      const { approval_id, poll } = asked.body;
      const decision = random.pick(['approve', 'approve', 'deny', 'cancel'] as const);
      if (decision === 'cancel') await call(by, 'cancel_approval', { approval_id });
      else await call(agent, 'decide_approval', { approval_id, decision });
      const job = await ended(by, poll);
      const code: string | undefined = job.error?.error;
      if (decision === 'approve') {
        decided.approved += 1;
        if (code === 'insufficient_balance' && trader.hasDoubts()) return;
        if (code) return wrong(`an approved call was refused: ${code}`);
        const micros = costOf(email, job.result as Validation, wrong);
        wallet.micros -= micros;
        paid += micros / PRICE;
        return;
      }
      const end = decision === 'deny' ? 'denied' : 'cancelled';
      decided[end] += 1;
      if (code !== `approval_${end}`) wrong(`a call that was ${end} ended with ${code}`);
    }

    return {
      steps: [{ weight: 1, run: decide }],
      async compare({ database, same }) {
        if (!child) return;
        const [found] = await database.query(
          `select count(*) filter (where status = 'approved')::int as approved,
                  count(*) filter (where status = 'denied')::int as denied,
                  count(*) filter (where status = 'cancelled')::int as cancelled,
                  (select coalesce(sum(units), 0)::int from charge where agent_id = $1) as paid
             from approval where agent_id = $1`,
          [child.id],
        );
        same('approvals', `calls of agent ${child.id} that waited`, {
          found,
          told: { ...decided, paid },
        });
      },
    };
  },
};
