import { randomUUID } from 'node:crypto';

import type { Agent } from '../calls/call.ts';
import type { Domain } from './domain.ts';
import { costOf, newAddress, PRICE, type Validation } from './email.ts';

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
}

/** Buyers spawn agents below them, which spawn others, and spend what their root has. */
export const children: Domain = {
  by: 'buyers',
  open(trader) {
    const { agent, random, wallet, wrong } = trader;
    const spawned: Child[] = [];
    const able = () => spawned.filter(({ token }) => token !== undefined);
    const callerOf = ({ id, token }: Child): Agent => ({ id, token: token! });

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
          spawned.push({ id, username, ownerId, depth, token, paid: 0 });
        },
        { twice: random.below(4) === 0 },
      );
    }

    async function spend(): Promise<void> {
      if (able().length === 0) return spawn();
      const child = random.pick(able());
      const operation = 'validate_email';
      const email = newAddress(random);
      const key = trader.newKey(operation);
      await trader.perform(
        { agent: callerOf(child), operation, input: { email }, key },
        (answer) => {
          const { status, body } = answer;
          if (status === 200) {
            const micros = costOf(email, body as Validation, wrong);
            wallet.micros -= micros;
            child.paid += micros / PRICE;
            return;
          }
          const isPoor = status === 402 && body.error === 'insufficient_balance';
          if (isPoor && (wallet.micros < PRICE || trader.hasDoubts())) return;
          wrong(`${child.id} validated with ${wallet.micros} and was refused: ${body.error}`);
        },
      );
    }

    return {
      steps: [
        { weight: 1, run: spawn },
        { weight: 2, run: spend },
      ],
      async compare({ database, same }) {
        const found = await database.query(
          `select a.id::int, username, owner_id::int as "ownerId", cardinality(lineage) - 1 as depth,
                  coalesce(sum(units), 0)::int as paid
             from agent a left join charge c on c.agent_id = a.id
            where a.root_id = $1 and a.id <> $1 group by a.id order by a.id`,
          [agent.id],
        );
        const told = spawned
          .map(({ id, username, ownerId, depth, paid }) => ({ id, username, ownerId, depth, paid }))
          .toSorted((a, b) => a.id - b.id);
        same('children', `agents below agent ${agent.id}`, { found, told });
      },
    };
  },
};
