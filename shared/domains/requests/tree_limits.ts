import type { RequestRow } from './request_row.ts';

/*
 * The rows that a tree of agents may fill, in each process. Calls have a row of their own as long
 * as their tree has some left: a reserve, renewed slowly, one for errors and one for the others.
 * Beyond it, calls of a minute are summed up: one row for each agent, operation and outcome, and
 * two for all others if these are many. So no count and no cost is estimated, and a tree fills at
 * most 2 * (300 + 14 400) + 32 * 1 440 = 75 480 rows a day and process.
 */
const RESERVE = 300;
const RENEWED_PER_MINUTE = 10;
/** Rows of one minute that sum up; calls that fit none of them share two more. */
const SUMS_MAX = 30;
/** Maximum trees that are remembered; calls of further ones have rows of their own. */
const TREES_MAX = 20_000;
const MINUTE_MS = 60_000;

interface Tree {
  /** Rows left, of successes and of errors. */
  readonly left: [number, number];
  renewedAt: number;
  /** Calls beyond the reserve in this minute, by what they have in common. */
  readonly sums: Map<string, Sum>;
}

type Sum = { -readonly [K in keyof RequestRow]: RequestRow[K] };

interface TreeLimits {
  /** Whether a call has a row of its own; otherwise it is summed up with others. */
  take(call: RequestRow): boolean;
  /** The sums of minutes that are over. */
  takeEnded(now: number): RequestRow[];
  takeAll(): RequestRow[];
  /** Whether there are sums. */
  hasSome(): boolean;
}

export function openTreeLimits(): TreeLimits {
  const trees = new Map<number, Tree>();
  /** Trees with sums, all of one minute. */
  const summing = new Set<Tree>();
  let minute = 0;

  function takeAll(): RequestRow[] {
    const all = [...summing].flatMap(({ sums }) => [...sums.values()]);
    for (const { sums } of summing) sums.clear();
    summing.clear();
    return all.map((sum) => ({ ...sum, ms: sum.ms / sum.calls }));
  }

  /** Forgets trees whose reserve is full again. */
  function forgetIdle(now: number): void {
    const fullAfterMs = (RESERVE / RENEWED_PER_MINUTE) * MINUTE_MS;
    for (const [id, tree] of trees) {
      if (tree.sums.size === 0 && now - tree.renewedAt > fullAfterMs) trees.delete(id);
    }
  }

  return {
    take(call) {
      const { rootId, status, at, ms } = call;
      let tree = trees.get(rootId);
      if (!tree) {
        if (trees.size >= TREES_MAX) return true;
        tree = { left: [RESERVE, RESERVE], renewedAt: at, sums: new Map() };
        trees.set(rootId, tree);
      }
      renew(tree, at + ms);
      const kind = status < 400 ? 0 : 1;
      if (tree.left[kind] >= 1) {
        tree.left[kind] -= 1;
        return true;
      }
      summing.add(tree);
      addTo(tree.sums, call);
      return false;
    },
    takeEnded(now) {
      const present = Math.floor(now / MINUTE_MS);
      if (present === minute) return [];
      minute = present;
      const ended = takeAll();
      forgetIdle(now);
      return ended;
    },
    takeAll,
    hasSome: () => summing.size > 0,
  };
}

function renew(tree: Tree, now: number): void {
  const more = ((now - tree.renewedAt) / MINUTE_MS) * RENEWED_PER_MINUTE;
  if (more <= 0) return;
  tree.renewedAt = now;
  tree.left[0] = Math.min(RESERVE, tree.left[0] + more);
  tree.left[1] = Math.min(RESERVE, tree.left[1] + more);
}

function addTo(sums: Map<string, Sum>, call: RequestRow): void {
  const { agentId, rootId, status, code } = call;
  let key = `${agentId} ${call.operation} ${status} ${code} ${call.interface}`;
  const isOther = !sums.has(key) && sums.size >= SUMS_MAX;
  if (isOther) key = status < 400 ? 'others' : 'other errors';
  const sum = sums.get(key);
  if (!sum) {
    const row = { ...call, requestId: null, jobId: null };
    // Calls of other agents are in it, so only the root may see it.
    const others = { agentId: rootId, operation: null, code: null, error: null };
    sums.set(key, isOther ? { ...row, ...others } : row);
    return;
  }
  sum.calls += call.calls;
  sum.ms += call.ms;
  sum.at = call.at;
  if (call.cost !== null) sum.cost = (sum.cost ?? 0n) + call.cost;
}
