import type { Context } from '../../shared/composition/context.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import { callsOf } from '../http/calls.ts';
import type { Route } from '../http/routes.ts';
import { ENDINGS, sendResults, sendView } from './results.ts';

/** The results of a labor task as files, which its poster may read by `labor_results`. */
export const laborFileRoutes = (context: Context, invoke: Invoke): Route[] => [
  ...ENDINGS.map((ending): Route => ({
    route: `GET /api/v1/labor/:task_id/results.${ending}`,
    operation: 'labor_results',
    handle: (ctx) => sendResults(callsOf(context, invoke, ctx), ctx, { ending, isCounted: false }),
  })),
  {
    route: 'GET /api/v1/labor/:task_id/label_studio.xml',
    operation: 'labor_results',
    handle: (ctx) => sendView(callsOf(context, invoke, ctx), ctx, false),
  },
];
