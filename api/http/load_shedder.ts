import type { IncomingMessage, ServerResponse } from 'node:http';

import { published } from '../../shared/kernel/catalog.ts';
import { FULL } from '../../shared/platform/limiter.ts';
import type { World } from '../../shared/kernel/context.ts';
import { bareHeaders, requestIdOf } from './envelope.ts';
import { PATH as MCP } from '../mcp/http.ts';

const TELL_EVERY_MS = 1_000;
const [BEFORE, AFTER] = FULL.body('<id>').split('<id>') as [string, string];

/**
 * Turns calls away for which there is no room, before Koa hears of them: that halves what a refusal
 * costs, and where very many are to be refused it decides whether anything else gets done. The door
 * refuses them too, so only routes whose path is the same for every call are known here. Answers
 * whether it turned this one away.
 */
export function openThreshold({ rooms, log }: World) {
  const isJob = new Map<string, boolean>([
    [`POST ${MCP}`, false],
    [`POST ${MCP}/call`, false],
  ]);
  for (const { rest, mode } of published) {
    if (rest && !rest.includes(':')) isJob.set(rest, mode === 'job');
  }
  let turnedAway = 0;

  function count(): void {
    turnedAway += 1;
    if (turnedAway > 1) return;
    setTimeout(() => {
      log.warn({ calls: turnedAway }, 'more was asked for than there is room for');
      turnedAway = 0;
    }, TELL_EVERY_MS).unref();
  }

  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const isFull = rooms.calls.isFull();
    if (!isFull && !rooms.jobs.isFull()) return false;
    const job = isJob.get(`${req.method} ${req.url!.split('?', 1)[0]}`);
    if (job === undefined || !(isFull || job)) return false;
    const requestId = requestIdOf(req);
    const body = BEFORE + requestId + AFTER;
    res.writeHead(FULL.status, { ...bareHeaders(requestId, body), 'Retry-After': '1' });
    res.end(body);
    count();
    return true;
  };
}
