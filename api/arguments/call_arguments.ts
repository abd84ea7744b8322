import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { canDryRun } from '../../shared/kernel/terms/dry_run.ts';
import { fromJsonText } from '../../shared/kernel/reading/by_schema.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import { KEY_NAMES, keyIn, REQUEST_ID } from './idempotency_keys.ts';

/* The one reader of arguments: REST, the forms of MCP and batches give it what they were sent. The
   types of the values are read by the operation's schema, in `parse`. */

export type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of a call, as they were sent. */
export interface SentArguments {
  readonly op: AnyOperation;
  /** An object, its JSON text, or nothing in any of its forms. */
  readonly args: unknown;
  /** Idempotency keys beside the arguments: in the header, in `_meta`; undefined where absent. */
  readonly keys: readonly unknown[];
  /** Names of the fields, if they are not those of the operation. */
  readonly fields?: object;
  /** Arguments that clients add by themselves, which mean nothing. */
  readonly addedByClients?: readonly string[];
}

interface CallArguments {
  readonly input: Arguments;
  readonly key: string | undefined;
  /** The argument `wait`, if the operation has no such field. */
  readonly wait: unknown;
  /** Whether the call is only to be tried, by the argument `dry_run` of one that spends. */
  readonly isDryRun: boolean;
}

/** Separates the operation's input from the key and the wait, which may be among its arguments. */
export function readArguments(sent: SentArguments): CallArguments {
  const { op, args, keys, addedByClients = [] } = sent;
  const fields = fieldsOf(sent);
  const isField = (name: string) => Object.hasOwn(fields, name);
  const given = argumentsIn(args);
  const isInput = (name: string) =>
    isField(name) || !(isOfInterface(op, name) || addedByClients.includes(name));
  // Most calls hold the input alone: then nothing is copied.
  if (Object.keys(given).every(isInput)) {
    return { input: given, key: keyIn(keys, undefined), wait: undefined, isDryRun: false };
  }
  const input = Object.fromEntries(Object.entries(given).filter(([name]) => isInput(name)));
  const named = KEY_NAMES.filter((name) => !isField(name)).map((name) => given[name]);
  const requestId = isField(REQUEST_ID) || op.mode === 'read' ? undefined : given[REQUEST_ID];
  const key = keyIn([...keys, ...named], requestId);
  const wait = isField('wait') ? undefined : (given.wait ?? undefined);
  return { input, key, wait, isDryRun: canDryRun(op) && isTrue(given[DRY_RUN]) };
}

/** Names of the arguments that nothing reads. A null is as good as absent. */
export function unreadIn(sent: SentArguments): string[] {
  const { args, addedByClients = [] } = sent;
  const fields = fieldsOf(sent);
  return Object.entries(argumentsIn(args)).flatMap(([name, value]) =>
    Object.hasOwn(fields, name) ||
    value === null ||
    isOfInterface(sent.op, name) ||
    addedByClients.includes(name)
      ? []
      : name.slice(0, 64),
  );
}

const fieldsOf = ({ op, fields = op.input.properties as object }: SentArguments): object => fields;

const isOfInterface = (op: AnyOperation, name: string) =>
  name === 'wait' ||
  name === REQUEST_ID ||
  KEY_NAMES.includes(name) ||
  (name === DRY_RUN && canDryRun(op));

const DRY_RUN = 'dry_run';

/** A value that is neither true nor false is refused: a call must not spend by mistake. */
function isTrue(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === undefined || value === null || value === false || value === 'false') return false;
  throw invalid([{ pointer: `/${DRY_RUN}`, message: 'must be true or false' }]);
}

/** The object of arguments: an absent value, `null`, `[]` and `""` are none. */
export function argumentsIn(args: unknown): Arguments {
  if (args === undefined || args === null || args === '') return {};
  if (Array.isArray(args) && args.length === 0) return {};
  const read = typeof args === 'string' ? fromJsonText(args) : args;
  if (typeof read === 'object' && !Array.isArray(read)) return read as Arguments;
  const message = 'must be an object with the fields of the call';
  throw invalid([{ pointer: '', message }]);
}

/** The one of these names that is given; the first, if none is. Refuses two. */
export function onlyOne(given: Arguments, names: readonly string[]): string {
  const isGiven = (name: string) => Object.hasOwn(given, name) && given[name] !== null;
  const [one = names[0]!, second] = names.filter(isGiven);
  if (second === undefined) return one;
  throw invalid([{ pointer: `/${second}`, message: `means the same as ${one}: send only one` }]);
}
