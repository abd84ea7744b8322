import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/composition/context.ts';
import { openPubSub } from '../../shared/platform/pubsub.ts';
import type { Lifecycle } from '../http/health.ts';
import type { Route } from '../http/routes.ts';
import { handleCall } from './calls/call.ts';
import { openCancellations } from './cancellations.ts';
import { guarded } from './guard.ts';
import { sseInterface } from './sse/sse.ts';
import { entriesForApps } from './sets/entries.ts';
import { choiceOfSet } from './sets/choice.ts';
import { INSTRUCTIONS } from './sets/instructions.ts';
import { LEAN, PATH_NAMES } from './sets/sets.ts';
import { streamableHttp, type Entry } from './streamable/streamable_http.ts';

export const PATH = '/api/v1/mcp';

/** MCP by Streamable HTTP without sessions, by single calls, and by HTTP with SSE. */
export function mcpRoutes(context: Context, invoke: Invoke, lifecycle: Lifecycle): Route[] {
  const route = guarded(context);
  const pubSub = openPubSub(context.config.redisUrl, context.log);
  const cancellations = openCancellations(context, pubSub, lifecycle.draining);
  const shared = { lifecycle, pubSub, cancellations };
  const { open, post } = sseInterface(context, invoke, shared, `${PATH}/messages`);
  return [
    route(`POST ${PATH}`, streamableHttp(context, invoke, cancellations)),
    ...PATH_NAMES.map((name) =>
      route(`POST ${PATH}/${name}`, streamableHttp(context, invoke, cancellations, listOf(name))),
    ),
    ...entriesForApps(context).flatMap(({ path, entry, challenge }) => [
      route(`POST ${path}`, streamableHttp(context, invoke, cancellations, entry)),
      route(`GET ${path}`, challenge),
    ]),
    route(`POST ${PATH}/call`, (ctx) => handleCall(context, invoke, ctx)),
    route(`GET ${PATH}/sse`, open),
    route(`POST ${PATH}/messages`, post),
  ];
}

/** The paths of lists for clients with a key. */
export const LIST_PATHS = PATH_NAMES.map((name) => `${PATH}/${name}`);

const listOf = (name: string): Entry => ({
  choose: (ctx) => choiceOfSet(name, ctx.query.tools),
  ...(name === LEAN && { instructions: INSTRUCTIONS }),
});
