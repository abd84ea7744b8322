import { invalid } from '../../../shared/kernel/schema.ts';
import { readObject } from '../../http/request.ts';
import type { HttpContext } from '../../http/routes.ts';
import { keysInMeta, KEY_NAMES, type ToolArguments } from './tool_arguments.ts';

/** The body of `POST /api/v1/mcp/call`. */
export interface PostedCall extends Pick<ToolArguments, 'args' | 'keys' | 'strays'> {
  readonly tool: string;
}

const TOOL = ['tool', 'name'];
/** The last is MCP's own word. */
const ARGUMENTS = ['params', 'parameters', 'arguments'];
const META = '_meta';

/**
 * Reads `{tool, params}` or `{name, parameters}`, with idempotency keys beside them or in `_meta`.
 * Refuses what could be two calls.
 */
export async function readCall(ctx: HttpContext): Promise<PostedCall> {
  const body = (await readObject(ctx)) as { readonly [field: string]: unknown };
  const tool = body[onlyOne(body, TOOL)];
  if (typeof tool !== 'string') {
    throw invalid([{ pointer: '/tool', message: 'must be the name of a tool' }]);
  }
  const meta = body[META];
  const known = [...TOOL, ...ARGUMENTS, ...KEY_NAMES, META];
  return {
    tool,
    args: body[onlyOne(body, ARGUMENTS)],
    keys: [body, meta].flatMap((of) => (of && typeof of === 'object' ? keysInMeta({ ...of }) : [])),
    strays: Object.keys(body).filter((name) => !known.includes(name)),
  };
}

/** Which of these names is given; the first, if none is. */
function onlyOne(body: object, names: readonly string[]): string {
  const [given = names[0]!, second] = names.filter((name) => Object.hasOwn(body, name));
  if (second === undefined) return given;
  throw invalid([
    { pointer: `/${second}`, message: `says the same as ${given}: send one of them` },
  ]);
}
