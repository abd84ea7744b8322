import { invalid } from '../../../shared/kernel/schema.ts';
import { argumentsIn, onlyOne } from '../../arguments/call_arguments.ts';
import { KEY_NAMES, keysInMeta } from '../../arguments/idempotency_keys.ts';
import { readObject } from '../../http/request.ts';
import type { HttpContext } from '../../http/routes.ts';
import type { ToolArguments } from './tool_arguments.ts';

/** The body of `POST /api/v1/mcp/call`. */
interface PostedCall extends Pick<ToolArguments, 'args' | 'keys' | 'strays'> {
  readonly tool: string;
}

const TOOL = ['tool', 'name'];
/** Names of the arguments; the last is MCP's own. */
const ARGUMENTS = ['params', 'parameters', 'arguments'];
const META = '_meta';

/**
 * Reads `{tool, params}` or `{name, parameters}`, with idempotency keys beside them or in `_meta`.
 * Refuses a body that could mean two calls.
 */
export async function readCall(ctx: HttpContext): Promise<PostedCall> {
  const body = await readObject(ctx);
  const tool = body[onlyOne(body, TOOL)];
  if (typeof tool !== 'string') {
    throw invalid([{ pointer: '/tool', message: 'must be the name of a tool' }]);
  }
  const known = [...TOOL, ...ARGUMENTS, ...KEY_NAMES, META];
  return {
    tool,
    args: body[onlyOne(body, ARGUMENTS)],
    keys: [...keysInMeta(body), ...keysInMeta(argumentsIn(body[META]))],
    strays: Object.keys(body).filter((name) => !known.includes(name)),
  };
}
