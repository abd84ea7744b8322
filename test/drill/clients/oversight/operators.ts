import { randomUUID } from 'node:crypto';

import { OPERATOR, type Agent } from '../../calls/call.ts';
import type { Domain } from '../domain.ts';
import { microsOf } from '../goods.ts';
import { compareBarred, spawnChild } from './child.ts';

/**
 * Operators give goodwill to buyers, and suspend an agent below each and let it go on. They have no
 * keys: each of their calls can be repeated.
 */
export const operators: Domain = {
  by: 'buyers',
  open(trader) {
    const { agent, client, random, wallet, wrong } = trader;
    let child: Agent | undefined;
    let isSuspended = false;
    /** A sending of the last decision may still arrive: another one would not be the last. */
    let isUncertain = false;
    let decisions = 0;
    const given: { reference: string; micros: number }[] = [];

    async function ask(operation: string, input: Record<string, unknown>) {
      const answer = await client({ agent: OPERATOR, operation, input, repeatable: true });
      if (answer?.status !== 200) wrong(`${operation} was refused: ${answer?.text}`);
      return answer!;
    }

    async function giveGoodwill(): Promise<void> {
      const reference = `drill-${randomUUID()}`;
      const micros = 1_000 * (1 + random.below(9));
      const input = { agent_id: agent.id, amount: micros / 1e6, reference };
      const { amount } = (await ask('give_goodwill', input)).body;
      if (microsOf(amount) !== micros) wrong(`goodwill of ${micros} was given as ${amount}`);
      wallet.micros += micros;
      given.push({ reference, micros });
    }

    /** While it is suspended, its owner cannot let it go on, and it cannot spend. */
    async function suspendOrResume(): Promise<void> {
      if (isUncertain) return giveGoodwill();
      child ??= await spawnChild(trader, 'o');
      const agent_id = child.id;
      if (isSuspended) {
        const resume = { agent, operation: 'resume_agent', input: { agent_id }, repeatable: true };
        const resumed = await client(resume);
        if (resumed?.body.error !== 'forbidden') wrong(`${agent_id} was resumed: ${resumed?.text}`);
        const operation = 'validate_email';
        const input = { email: 'ada@example.com' };
        const key = trader.newKey(operation);
        const spent = await client({ agent: child, operation, input, key });
        if (spent?.body.error !== 'agent_suspended') wrong(`${agent_id} spent: ${spent?.text}`);
      }
      const operation = isSuspended ? 'operator_resume_agent' : 'operator_suspend_agent';
      const decided = await ask(operation, { agent_id, note: 'Decided during a drill.' });
      isUncertain = decided.uncertain === true;
      isSuspended = !isSuspended;
      decisions += 1;
    }

    return {
      steps: [
        { weight: 1, run: giveGoodwill },
        { weight: 1, run: suspendOrResume },
      ],
      async compare(comparison) {
        const { database, same } = comparison;
        const gifts = await database.query(
          `select reference, amount::int as micros from goodwill where agent_id = $1 order by id`,
          [agent.id],
        );
        same('goodwill', `goodwill of agent ${agent.id}`, { found: gifts, told: given });
        if (!child) return;
        const [found] = await database.query(
          `select status, (select count(*)::int from suspension s
                            where s.agent_id = agent.id and operator is not null) as decisions
             from agent where id = $1`,
          [child.id],
        );
        const status = isSuspended ? 'suspended' : 'active';
        same('decisions of operators', `agent ${child.id}`, {
          found,
          told: { status, decisions },
        });
        await compareBarred(comparison, child);
      },
    };
  },
};
