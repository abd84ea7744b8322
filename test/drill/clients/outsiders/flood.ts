import { randomUUID } from 'node:crypto';

import type { Agent } from '../../calls/call.ts';
import { answerTo, countsOf } from '../../calls/history.ts';
import type { Trade } from '../domain.ts';
import type { Market } from '../market.ts';
import type { Trader } from '../trader.ts';

/** More than a tree may have bids on one task. */
const CHILDREN = 12;
const BIDS_OF_TREE_MAX = 10;

/** A tree of its own that bids on the tasks of others with every agent it has. */
export function flood({ client, random, wrong, history }: Trader, { buyers }: Market): Trade {
  const tree: Agent[] = [];

  /** Registers the root, and then spawns all that the tree lacks. */
  async function grow(): Promise<void> {
    const lacking = tree.length === 0 ? 1 : CHILDREN + 1 - tree.length;
    await Promise.all(Array.from({ length: lacking }, () => join(tree[0])));
  }

  async function join(root: Agent | undefined): Promise<void> {
    const name = `f${randomUUID().slice(0, 18)}`;
    const [operation, input] = root
      ? ['spawn_agent', { name, permissions: ['read', 'buy', 'sell'] }]
      : [
          'register_agent',
          { username: name, email: `${name}@example.com`, password: 'correct horse battery' },
        ];
    const anonymous = { id: 0, token: '' };
    const key = root && randomUUID();
    const answer = await client(
      { agent: root ?? anonymous, operation, input, key },
      { once: true },
    );
    const { agent, agent_id: id = agent?.agent_id, api_key } = answer?.body ?? {};
    if (answer?.status === 200 && api_key?.key) tree.push({ id, token: api_key.key });
  }

  async function bid(): Promise<void> {
    if (tree.length <= CHILDREN) await grow();
    if (tree.length <= CHILDREN) return;
    const posters = new Set(buyers.map(({ id }) => id));
    const seen = answerTo(posters, 'task_post', history, random);
    if (!seen) return;
    const { task_id } = JSON.parse(seen.text) as { task_id: number };
    const input = { task_id, bid_amount: 0.01 };
    const bids = tree.map((agent) =>
      client({ agent, operation: 'task_bid', input, key: randomUUID() }),
    );
    const taken = (await Promise.all(bids)).filter((answer) => answer?.status === 200);
    const counts = countsOf(history, 'flood of bids');
    counts.calls += 1;
    counts.answered += 1;
    if (taken.length > 0) counts.performed += 1;
    if (taken.length > BIDS_OF_TREE_MAX) wrong(`a tree made ${taken.length} bids on ${task_id}`);
  }

  return {
    steps: [{ weight: 2, run: bid }],
    async compare({ database, same }) {
      const [root] = tree;
      const bids: { count: number }[] = await database.query(
        'select count(*)::int from bid where bidder_root = $1 group by task_id',
        [root?.id ?? 0],
      );
      for (const { count } of bids) {
        const isWithin = count <= BIDS_OF_TREE_MAX;
        same('tasks that were flooded', `${count} bids`, { found: isWithin, told: true });
      }
    },
  };
}
