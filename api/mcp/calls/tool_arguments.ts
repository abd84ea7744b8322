import type { Context } from '../../../shared/kernel/context.ts';
import type { Answer, CallBody } from '../../../shared/kernel/call.ts';
import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { waitPreferenceOf } from '../../http/wait_preference.ts';
import { withoutNulls } from '../../http/schemas.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of a tool call, as they were sent. */
export interface ToolArguments {
  readonly op: AnyOperation;
  /** Its `arguments`. */
  readonly args: unknown;
  /** Idempotency-Keys beside the arguments: of the header, of `_meta`; undefined where none. */
  readonly keys: readonly unknown[];
  /** Names beside the arguments of what is not read there. */
  readonly strays?: readonly string[];
}

/** Names of the Idempotency-Key in use, in arguments and in `_meta`. */
export const KEY_NAMES = [
  'idempotency_key',
  'idempotencyKey',
  'idempotency-key',
  'Idempotency-Key',
];
/** Is the key where none of those is given: some clients name so what they repeat a call with. */
const REQUEST_ID = 'request_id';

/**
 * Arguments that clients add to a tool call by themselves: n8n all but the last (its issues
 * 21500, 21716 and 37308), Cursor the last, of a tool without fields. None is a slip of a field
 * that sets a limit.
 */
const OF_CLIENTS = ['toolCallId', 'sessionId', 'action', 'chatInput', 'random_string'];

/** Reads the arguments of a tool call as those of its operation. */
export function bodyOf(
  context: Context,
  { op, args, keys: beside, strays = [] }: ToolArguments,
): CallBody {
  if (op.mode !== 'read' && strays.length > 0) {
    const message = 'is not read here: fields of the tool belong in params';
    throw invalid(strays.slice(0, NAMED_MAX).map((name) => ({ pointer: `/${name}`, message })));
  }
  const { wait, ...sent } = argumentsIn(args);
  const named = KEY_NAMES.filter((name) => !isField(op, name));
  const keys = [...beside, ...named.map((name) => sent[name])];
  const isKey = (name: string) => KEY_NAMES.includes(name) || name === REQUEST_ID;
  const others = Object.entries(sent).filter(
    ([name, value]) => isField(op, name) || (!isKey(name) && !isOfClient(name, value)),
  );
  const input = withoutNulls(op.input, Object.fromEntries(others));
  const { waitMs } = waitPreferenceOf(op, wait ?? undefined, undefined, context.config.api.waitMs);
  const requestIds = isField(op, REQUEST_ID) ? [] : [sent[REQUEST_ID]];
  const key = oneOf(keys.filter(isGiven)) ?? oneOf(requestIds.filter(isGiven), REQUEST_ID);
  return { input, key, waitMs };
}

/** Idempotency-Keys in `_meta` of a request, by each name in use. */
export const keysInMeta = (meta: Arguments): readonly unknown[] =>
  KEY_NAMES.map((name) => meta[name]);

/** Keeps idempotency keys that stand beside the arguments of a message: the SDK drops them. */
export function moveKeysToMeta({ params }: { params?: object }): void {
  if (!params) return;
  const sent = params as Record<string, unknown>;
  for (const name of KEY_NAMES.filter((one) => isGiven(sent[one]))) {
    const meta = { ...(sent._meta as object) };
    // Each has a name of its own there, so that two that differ are found.
    const free = KEY_NAMES.find((one) => !Object.hasOwn(meta, one));
    if (free) sent._meta = { ...meta, [free]: sent[name] };
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function oneOf(keys: readonly unknown[], name = 'idempotency_key'): string | undefined {
  const [first] = keys;
  const pointer = `/${name}`;
  if (first !== undefined && typeof first !== 'string') {
    throw invalid([{ pointer, message: 'must be a string' }]);
  }
  if (keys.every((one) => one === first)) return first;
  throw invalid([{ pointer, message: 'was sent more than once, and they differ' }]);
}

/** Reads none, `null`, `[]` and `""` as no arguments. */
function argumentsIn(args: unknown): Arguments {
  if (args === undefined || args === null || args === '') return {};
  if (Array.isArray(args) && args.length === 0) return {};
  if (typeof args === 'object' && !Array.isArray(args)) return args as Arguments;
  throw invalid([{ pointer: '', message: 'must be an object of the fields of the tool' }]);
}

const isField = (op: AnyOperation, name: string): boolean =>
  Object.hasOwn(op.input.properties as object, name);

/** A null is as good as nothing. */
const isOfClient = (name: string, value: unknown): boolean =>
  value === null || OF_CLIENTS.includes(name);

const NAMED_MAX = 20;

/** Adds to the answer of a read the names of the arguments that it did not use. */
export function withIgnored(answer: Answer, { op, args }: ToolArguments): Answer {
  if (op.mode !== 'read' || answer.status !== 200) return answer;
  const ignored = Object.entries(argumentsIn(args)).flatMap(([name, value]) =>
    isField(op, name) ||
    isOfClient(name, value) ||
    ['wait', REQUEST_ID, ...KEY_NAMES].includes(name)
      ? []
      : name.slice(0, 64),
  );
  if (ignored.length === 0) return answer;
  const body = JSON.parse(answer.body) as object;
  return { ...answer, body: JSON.stringify({ ...body, ignored: ignored.slice(0, NAMED_MAX) }) };
}
