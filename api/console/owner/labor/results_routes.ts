import { ENDINGS, sendResults, sendView } from '../../../labor_files/results.ts';
import type { Perform } from '../../../http/calls.ts';
import type { HttpContext, Route } from '../../../http/routes.ts';
import { Refusal } from '../../../../shared/kernel/refusal.ts';
import { callerOf, type Console } from '../../render.tsx';
import { currentSession } from '../../session/current.ts';
import { resultsPath } from './paths.ts';

/** The results of a labor task of the signed-in owner as files, as by its key. */
export function laborResultsRoutes(console: Console): Route[] {
  const route = (ending: string, send: (perform: Perform, ctx: HttpContext) => Promise<void>) => ({
    route: `GET ${resultsPath(':task_id')}.${ending}`,
    handle: async (ctx: HttpContext) => send(await performAs(console, ctx), ctx),
  });
  return [
    ...ENDINGS.map((ending) =>
      route(ending, (perform, ctx) => sendResults(perform, ctx, { ending, isCounted: false })),
    ),
    route('xml', (perform, ctx) => sendView(perform, ctx, false)),
  ];
}

async function performAs(console: Console, ctx: HttpContext): Promise<Perform> {
  const session = await currentSession(console.context, ctx, 'owner', { isPerson: true });
  if (!session) throw new Refusal('authentication_required', 'Sign in first.');
  const call = callerOf(console, ctx, session);
  return async (name, read, isCounted) => (await call(name, await read(), isCounted)).body;
}
