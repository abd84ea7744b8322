import Koa from 'koa';

import type { Door } from '../shared/kernel/call.ts';
import type { World } from '../shared/kernel/context.ts';
import { discoveryRoutes } from './docs/llms.ts';
import { openAiRoutes } from './docs/openai.ts';
import { openApiRoutes } from './docs/openapi.ts';
import { docsRoutes } from './docs/pages.ts';
import { envelope } from './http/envelope.ts';
import { errors } from './http/errors.ts';
import { healthRoutes, type Life } from './http/health.ts';
import { mcpRoutes } from './mcp/http.ts';
import { board } from './operator/board.ts';
import { proxyJudgeRoutes } from './rest/proxy_judge.ts';
import { restRoutes } from './rest/rest.ts';
import { dispatch, type State } from './http/routes.ts';

/** The HTTP of the marketplace. It translates, calls the door and translates back. */
export function createApp(
  world: World,
  door: Door,
  life: Life = { ending: new AbortController().signal },
): Koa<State> {
  const app = new Koa<State>();
  app.use(envelope(world.log));
  app.use(errors(world.log));
  app.use(board(world));
  app.use(
    dispatch([
      ...restRoutes(world, door),
      ...mcpRoutes(world, door, life),
      ...openApiRoutes(world),
      ...openAiRoutes(),
      ...docsRoutes(world),
      ...discoveryRoutes(world),
      ...proxyJudgeRoutes(world),
      ...healthRoutes(world, life),
    ]),
  );
  app.on('error', (error: NodeJS.ErrnoException) => {
    // Who hangs up in the middle of an answer is no fault of ours.
    if (['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(error.code ?? '')) return;
    world.log.error({ err: error }, 'an answer could not be sent');
  });
  return app;
}
