import { randomUUID } from 'node:crypto';

import type { Agent } from '../calls/call.ts';
import type { Domain } from './domain.ts';
import { costOf, newAddress, PRICE, type Validation } from './email/validation.ts';

const CHILDREN_MAX = 6;
const DEPTH_MAX = 3;

interface Child {
  readonly id: number;
  readonly username: string;
  readonly ownerId: number;
  readonly depth: number;
  /** Shown once: undefined where the first answer was lost. */
  readonly token: string | undefined;
  /** Addresses that it paid for, from the wallet of its root. */
  paid: number;
  /** How its root keeps it from spending; unknown: the answer to a change is not known. */
  barred: 'not' | 'by its policy' | 'by suspension' | 'unknown';
}

const REFUSALS = { 'by its policy': 'daily_limit_exceeded', 'by suspension': 'agent_suspended' };

/**
 * Buyers spawn agents below them, which spawn others, and spend what their root has, unless it
 * keeps them from it.
 */
export const children: Domain = {
  by: 'buyers',
  open(trader) {
    const { agent, random, wallet, wrong } = trader;
    const spawned: Child[] = [];
    const able = () => spawned.filter(({ token }) => token !== undefined);
    const callerOf = ({ id, token }: Child): Agent => ({ id, token: token! });
    const above = (child: Child): Child[] => {
      const owner = spawned.find(({ id }) => id === child.ownerId);
      return owner ? [child, ...above(owner)] : [child];
    };

    async function spawn(): Promise<void> {
      if (spawned.length >= CHILDREN_MAX) return spend();
      const operation = 'spawn_agent';
      const owner = random.pick([undefined, ...able().filter(({ depth }) => depth < DEPTH_MAX)]);
      const caller = owner ? callerOf(owner) : agent;
      const key = trader.newKey(operation);
      const input = { name: `c${randomUUID().slice(0, 20)}`, permissions: ['read', 'buy', 'sell'] };
      await trader.perform(
        { agent: caller, operation, input, key },
        ({ status, body, text, uncertain }) => {
          if (status !== 200) return wrong(`spawning was refused: ${text}`);
          const { agent_id: id, agent_name, username, owner_id: ownerId } = body.agent;
          const token: string | undefined = body.api_key.key ?? undefined;
          const isShown = token !== undefined || uncertain;
          if (agent_name !== input.name || ownerId !== caller.id || !isShown) {
            wrong(`${caller.id} spawned ${text}`);
          }
          const depth = (owner?.depth ?? 0) + 1;
          spawned.push({ id, username, ownerId, depth, token, paid: 0, barred: 'not' });
        },
        { twice: random.below(4) === 0 },
      );
    }

    async function spend(): Promise<void> {
      if (able().length === 0) return spawn();
      const child = random.pick(able());
      const bars = above(child).map(({ barred }) => barred);
      const operation = 'validate_email';
      const email = newAddress(random);
      const key = trader.newKey(operation);
      await trader.perform(
        { agent: callerOf(child), operation, input: { email }, key },
        ({ status, body, uncertain }) => {
          const isKnown = !uncertain && !bars.includes('unknown');
          const isBarred = bars.some((bar) => bar !== 'not');
          if (status === 200) {
            if (isKnown && isBarred) wrong(`${child.id} spent, and was barred ${bars.join()}`);
            const micros = costOf(email, body as Validation, wrong);
            wallet.micros -= micros;
            child.paid += micros / PRICE;
            return;
          }
          const expected = bars.map((bar) => REFUSALS[bar as keyof typeof REFUSALS]);
          if (expected.includes(body.error)) return;
          if (!isKnown && Object.values(REFUSALS).includes(body.error)) return;
          const isPoor = status === 402 && body.error === 'insufficient_balance';
          if (isPoor && (wallet.micros < PRICE || trader.hasDoubts())) return;
          wrong(`${child.id} validated with ${wallet.micros} and was refused: ${body.error}`);
        },
      );
    }

    /** Keeps one from spending, or lets it go on. */
    async function bar(): Promise<void> {
      const [child] = able().length > 0 ? [random.pick(able())] : [];
      if (!child || child.barred === 'unknown') return spend();
      const isPolicy =
        child.barred === 'not' ? random.below(2) === 0 : child.barred === 'by its policy';
      const isFree = child.barred === 'not';
      const operation = isPolicy ? 'set_policy' : isFree ? 'suspend_agent' : 'resume_agent';
      const limit = isPolicy && { daily_spend_limit: isFree ? 0 : null };
      const key = trader.newKey(operation);
      child.barred = 'unknown';
      const input = { agent_id: child.id, ...limit };
      await trader.perform({ agent, operation, input, key }, ({ status, text }) => {
        if (status !== 200) wrong(`${operation} was refused: ${text}`);
        child.barred = !isFree ? 'not' : isPolicy ? 'by its policy' : 'by suspension';
      });
    }

    return {
      steps: [
        { weight: 1, run: spawn },
        { weight: 2, run: spend },
        { weight: 1, run: bar },
      ],
      async compare({ database, same }) {
        const found = await database.query(
          `select a.id::int, username, owner_id::int as "ownerId", cardinality(lineage) - 1 as depth,
                  coalesce(sum(units), 0)::int as paid,
                  case when a.status = 'suspended' then 'by suspension'
                       when p.daily_spend_limit = 0 then 'by its policy' else 'not' end as barred
             from agent a left join charge c on c.agent_id = a.id
             left join policy p on p.agent_id = a.id
            where a.root_id = $1 and a.username like '%/c%'
            group by a.id, p.agent_id order by a.id`,
          [agent.id],
        );
        const told = spawned
          .map(({ id, username, ownerId, depth, paid, barred }) => {
            return { id, username, ownerId, depth, paid, barred };
          })
          .toSorted((a, b) => a.id - b.id);
        same('children', `agents below agent ${agent.id}`, { found, told });
      },
    };
  },
};
