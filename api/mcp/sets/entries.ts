import { accessRefusal } from '../../../shared/domains/agents/access.ts';
import type { Caller } from '../../../shared/kernel/caller.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { errorBody } from '../../../shared/composition/error_body.ts';
import type { HttpContext } from '../../http/routes.ts';
import { challengeOf, MCP, SET_PATHS } from '../../oauth/resources.ts';
import { messagesIn, type PostedBody } from '../messages/posted_body.ts';
import type { Entry } from '../streamable/streamable_http.ts';
import { tools } from '../tool_names.ts';
import { choiceOfSet } from './choice.ts';
import { INSTRUCTIONS } from './instructions.ts';

/** One address of MCP for apps that sign in. */
interface AppEntry {
  readonly path: string;
  readonly entry: Entry;
  /** Answers GET, by which some clients ask how to sign in. */
  readonly challenge: (ctx: HttpContext) => Promise<void>;
}

/**
 * `/mcp` and `/mcp/<set>`: like /api/v1/mcp, but a token is required. A client without one is
 * told where its owner can sign in (MCP, authorization; RFC 9728). Keys work too.
 */
export const entriesForApps = (context: Context): AppEntry[] =>
  [MCP, ...SET_PATHS].map((path) => {
    const { publicUrl } = context.config.api;
    const [, set, readOnly] = /^\/mcp\/(?:x\/)?([a-z]+)(\/readonly)?$/.exec(path) ?? [];
    const challenge = (ctx: HttpContext, { code, details }: Refusal) => {
      const error = ERRORS[code];
      if (error === undefined) return;
      const { required } = details as { required?: readonly string[] };
      const scope = required?.join(' ');
      ctx.set(
        'WWW-Authenticate',
        challengeOf(publicUrl, path, { error: error ?? undefined, scope }),
      );
    };
    return {
      path,
      entry: {
        choose: (ctx) => choiceOfSet(set, ctx.query.tools, readOnly !== undefined),
        instructions: INSTRUCTIONS,
        admit(caller, posted) {
          if (!caller) throw unknown();
          assertScopes(caller, posted);
        },
        onRefusal: challenge,
      },
      challenge: async (ctx) => {
        const refusal = unknown();
        challenge(ctx, refusal);
        ctx.set('Allow', 'POST');
        ctx.status = ctx.req.headers.authorization === undefined ? 401 : 405;
        ctx.body = errorBody(refusal, ctx.state.requestId);
      },
    };
  });

/** Error of RFC 6750, section 3.1; null: a client that sent nothing is told no error. */
const ERRORS: Readonly<Record<string, string | null>> = {
  authentication_required: null,
  invalid_key: 'invalid_token',
  insufficient_scope: 'insufficient_scope',
};

const unknown = () =>
  new Refusal(
    'authentication_required',
    'Sign in: your client opens a page here, where your owner allows it. If it opens none, connect ' +
      'again, or have it send an API key: Authorization: Bearer vnx_…',
  );

/** Answers a single call that lacks a scope with 403, so that the client can ask for more. */
function assertScopes(caller: Caller, posted: PostedBody): void {
  const [message, ...others] = messagesIn(posted);
  if (others.length > 0 || !message || !('method' in message)) return;
  if (message.method !== 'tools/call') return;
  const op = tools.get(String(message.params?.name));
  const refusal = op && accessRefusal(caller, op);
  if (refusal?.code === 'insufficient_scope') throw refusal;
}
