import type { IncomingMessage, ServerResponse } from 'node:http';

import { tokenOf } from '../../shared/domains/agents/authenticate.ts';
import { PLATFORM } from '../../shared/kernel/caller.ts';
import { holderOf } from '../../shared/kernel/call.ts';
import { published } from '../../shared/composition/catalog.ts';
import { countRefusal } from '../../shared/composition/invoke/count_refusal.ts';
import { errorBody } from '../../shared/composition/error_body.ts';
import { overloaded } from '../../shared/kernel/refusal.ts';
import type { Context } from '../../shared/composition/context.ts';
import { blockOf } from '../../shared/platform/egress/addresses.ts';
import type { Holder } from '../../shared/platform/shares/fair_queue.ts';
import { callerAddress } from './caller_address.ts';
import { corsHeaders } from './cors.ts';
import { bareHeaders, requestIdOf } from './envelope.ts';
import { LIST_PATHS, PATH as MCP } from '../mcp/http.ts';
import { MCP as OF_APPS, SET_PATHS } from '../oauth/resources.ts';

const LOG_EVERY_MS = 1_000;
const [BEFORE, AFTER] = errorBody(overloaded(), '<id>').split('<id>') as [string, string];

/**
 * Refuses calls beyond the limiters, or beyond the share of their caller, before Koa sees them.
 * That halves the cost of a refusal, which decides under overload whether the process can do
 * anything else. `invoke` refuses them too, so this need not know every spelling of a path.
 */
export function openLoadShedder({ config, keys, limiters, log }: Context) {
  const exact = new Map<string, boolean>([
    [`POST ${MCP}`, false],
    [`POST ${MCP}/call`, false],
    ...[...LIST_PATHS, OF_APPS, ...SET_PATHS].map((path) => [`POST ${path}`, false] as const),
  ]);
  for (const { rest, mode } of published) if (rest) exact.set(rest, mode === 'job');
  const [ofJobs, ofOthers] = [true, false].map((isJob) =>
    patternOf([...exact.keys()].filter((route) => exact.get(route) === isJob)),
  ) as [RegExp, RegExp];
  let shed = 0;

  /** Whether the route is of a job; undefined: there is no such route. Exact paths win. */
  function isJob(route: string): boolean | undefined {
    return exact.get(route) ?? (ofOthers.test(route) ? false : ofJobs.test(route) || undefined);
  }

  function count(): void {
    countRefusal('queue_overloaded');
    shed += 1;
    if (shed > 1) return;
    setTimeout(() => {
      log.warn({ calls: shed }, 'calls were refused: the limiters of this process are full');
      shed = 0;
    }, LOG_EVERY_MS).unref();
  }

  /** A key that must be looked up first has used no share: for it only full limiters count. */
  function holderOfRequest(req: IncomingMessage): Holder {
    const token = tokenOf(req);
    const caller = token === undefined ? PLATFORM : keys.peek(token);
    if (!caller) return token!;
    const address = blockOf(callerAddress(req, config.api.trustedHops));
    return holderOf({ caller, address });
  }

  /** True: this request was refused. */
  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const { calls, jobs } = limiters;
    if (!calls.isScarce() && !jobs.isScarce()) return false;
    const job = isJob(`${req.method} ${req.url!.split('?', 1)[0]}`);
    if (job === undefined) return false;
    const holder = holderOfRequest(req);
    if (calls.isFree(holder) && (!job || jobs.isFree(holder))) return false;
    void limiters.refusals.wait(holder).then(() => refuse(req, res));
    count();
    return true;
  };

  function refuse(req: IncomingMessage, res: ServerResponse): void {
    const requestId = requestIdOf(req);
    const body = BEFORE + requestId + AFTER;
    res.writeHead(overloaded().status, {
      ...bareHeaders(requestId, body),
      ...corsHeaders(config.api.corsOrigins, req),
      'Retry-After': '1',
    });
    res.end(body);
  }
}

/** A pattern that matches these routes, with any value for each parameter. */
const patternOf = (routes: readonly string[]): RegExp =>
  new RegExp(`^(${routes.map((route) => route.replace(/:\w+/g, '[^/]+')).join('|')})$`);
