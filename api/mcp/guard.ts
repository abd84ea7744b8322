import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';

import { Refusal } from '../../shared/kernel/refusal.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import type { Context } from '../../shared/composition/context.ts';
import type { HttpContext, Route } from '../http/routes.ts';

/** Makes routes that are served only at our hosts and to allowed origins. */
export function guarded({ config }: Context) {
  const own = new URL(config.api.publicUrl).hostname;
  const allowed = ['localhost', '127.0.0.1', '[::1]', own, ...config.api.allowedHosts];

  /** Refuses pages that make a browser call a server on its own machine (DNS rebinding). */
  function guard({ req: { headers } }: HttpContext): void {
    if (!validateHostHeader(headers.host, allowed).ok) throw refusalOf('at this host');
    if (!validateOriginHeader(headers.origin, allowed).ok) throw refusalOf('to this origin');
  }

  /** Refuses a field of a call beside the call: nothing reads it there, and money would move. */
  function refuseDryRun({ querystring }: HttpContext): void {
    if (!new URLSearchParams(querystring).has('dry_run')) return;
    const message = 'is not read here: it belongs among the arguments of the tool';
    throw invalid([{ pointer: '/dry_run', message }]);
  }

  return (route: string, handle: (ctx: HttpContext) => Promise<void>): Route => ({
    route,
    handle: (ctx) => {
      guard(ctx);
      refuseDryRun(ctx);
      return handle(ctx);
    },
  });
}

const refusalOf = (where: string): Refusal =>
  new Refusal(
    'forbidden',
    `MCP is not served ${where}. Who runs the marketplace can add the host to ALLOWED_HOSTS.`,
    { setting: 'ALLOWED_HOSTS' },
  );
