import type { RequestListener } from 'node:http';

import Koa from 'koa';

import type { Invoke } from '../shared/kernel/call.ts';
import type { Context } from '../shared/composition/context.ts';
import { tracing } from '../shared/platform/telemetry/tracing.ts';
import { a2aRoutes } from './a2a/routes.ts';
import { inCallSpans } from './call_spans.ts';
import { discoveryRoutes } from './docs/llms.ts';
import { x402Routes } from './x402/discovery.ts';
import { openAiRoutes } from './docs/openai.ts';
import { openApiRoutes } from './docs/openapi.ts';
import { docsRoutes } from './docs/pages.ts';
import { registryRoutes } from './docs/registry.ts';
import { cors } from './http/cors.ts';
import { envelope } from './http/envelope.ts';
import { errors } from './http/errors.ts';
import { healthRoutes, type Lifecycle } from './http/health.ts';
import { inRequestSpans } from './http/request_spans.ts';
import { singleHeaders } from './http/single_headers.ts';
import { datasetFileRoutes } from './dataset_files/routes.ts';
import { emailFileRoutes } from './email_files/routes.ts';
import { measured } from './measured.ts';
import { laborFileRoutes } from './labor_files/routes.ts';
import { mcpRoutes } from './mcp/http.ts';
import { board } from './operator/board.ts';
import { metricsRoutes } from './operator/metrics.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { recorded } from './recorded.ts';
import { proxyJudgeRoutes } from './rest/proxy_judge.ts';
import { direct } from './rest/direct_calls.ts';
import { restRoutes } from './rest/rest.ts';
import { consoleRoutes, unknownPath } from './console/routes.ts';
import { dispatch, type State } from './http/routes.ts';
import { stripeWebhookRoutes } from './stripe_webhook.ts';

/** The HTTP of the marketplace: translates a request, invokes, and translates the answer. */
export function createApp(
  context: Context,
  invoke: Invoke,
  lifecycle: Lifecycle = { draining: new AbortController().signal },
): RequestListener {
  const traces = tracing();
  const counted = measured(traces ? inCallSpans(traces, invoke) : invoke);
  const rest = restRoutes(context, recorded(context, counted, 'rest'), lifecycle);
  const app = new Koa<State>();
  if (traces) app.use(inRequestSpans(traces));
  app.use(envelope(context));
  app.use(cors(context.config.api.corsOrigins));
  app.use(errors(context.log));
  app.use(singleHeaders);
  app.use(board(context));
  app.use(
    dispatch(
      [
        ...rest,
        ...emailFileRoutes(context, recorded(context, counted, 'rest')),
        ...datasetFileRoutes(context, recorded(context, counted, 'rest')),
        ...laborFileRoutes(context, recorded(context, counted, 'rest')),
        ...mcpRoutes(context, recorded(context, counted, 'mcp'), lifecycle),
        ...a2aRoutes(context, recorded(context, counted, 'rest')),
        ...consoleRoutes(context, counted, lifecycle),
        ...oauthRoutes(context, counted),
        ...openApiRoutes(context),
        ...openAiRoutes(),
        ...docsRoutes(),
        ...discoveryRoutes(context),
        ...registryRoutes(context),
        ...x402Routes(context),
        ...proxyJudgeRoutes(context),
        ...stripeWebhookRoutes(context),
        ...healthRoutes(context, lifecycle),
        ...metricsRoutes(context),
      ],
      unknownPath(context, counted),
    ),
  );
  app.on('error', (error: NodeJS.ErrnoException) => {
    // A client that disconnects in the middle of an answer is no fault of ours.
    if (['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(error.code ?? '')) return;
    context.log.error({ err: error }, 'an answer could not be sent');
  });
  const callback = app.callback();
  const byKoa: RequestListener = (req, res) => void callback(req, res);
  // A span of each request is made by a middleware.
  return traces ? byKoa : direct(context, rest, byKoa);
}
