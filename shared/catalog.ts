import { getJob } from './jobs/get_job.ts';
import type { AnyOperation } from './operation.ts';

/**
 * Every operation there is, in the order in which tools are listed: the interface's own first, in its
 * order, then ours, then those that only timers and other operations start.
 */
export const catalog = index([getJob]);

/** What REST offers, and what MCP offers. */
export const published = [...catalog.values()].filter((op) => op.rest);
export const tools = index(published.filter((op) => op.tool !== false));

/** Every queue that an operation travels in. */
export const queues = [...new Set([...catalog.values()].map((op) => op.queue))];

/** A catalog with a contradiction in it must not start. */
function index(operations: readonly AnyOperation[]): ReadonlyMap<string, AnyOperation> {
  const byName = new Map<string, AnyOperation>();
  const routes = new Set<string>();
  for (const op of operations) {
    if (!/^[a-z][a-z0-9_]*$/.test(op.name)) throw new Error(`${op.name} is not snake_case`);
    if (byName.has(op.name)) throw new Error(`two operations are called ${op.name}`);
    for (const route of [op.rest, op.alias]) {
      if (route && routes.has(route)) throw new Error(`two operations claim ${route}`);
      if (route) routes.add(route);
    }
    if (op.gather && op.handleMany) throw new Error(`${op.name} gathers, so it cannot fly`);
    byName.set(op.name, op);
  }
  return byName;
}
