import type { AnyOperation } from '../../kernel/operation.ts';
import { invalid } from '../../kernel/schema.ts';

/**
 * Separates a cursor from the name of its list: the padding of base64url. Decoders of lists read
 * nothing behind it.
 */
const END = '=';

/** Refuses a cursor of another list, or order: it would answer a page with rows missing. */
export function refuseOtherCursor({ name, mode, wait }: AnyOperation, input: object): void {
  const { cursor } = input as { cursor?: unknown };
  if (mode !== 'read' || typeof cursor !== 'string') return;
  const [, list] = cursor.split(END);
  const own = nameOf(name, input);
  if (list === own) return;
  // A stream makes a cursor of the id of the event after which it goes on.
  if (list === undefined && wait?.stream) return;
  const message = own.startsWith(list ?? '')
    ? 'must be a next_cursor of this list, all of it: send it as it came, or begin without one'
    : 'belongs to another list or order: send a next_cursor of this one';
  throw invalid([{ pointer: '/cursor', message }]);
}

/** The answer of a read, with the name of its list in its cursor. */
export function withNamedCursor({ name }: AnyOperation, input: object, body: unknown): unknown {
  const { next_cursor: cursor } = (body ?? {}) as { next_cursor?: unknown };
  if (typeof cursor !== 'string') return body;
  return { ...(body as object), next_cursor: cursor + END + nameOf(name, input) };
}

/** The newest first is the order of lists that have no other. */
function nameOf(list: string, { sort = 'newest' }: { readonly sort?: unknown }): string {
  return sort === 'newest' ? list : `${list}:${String(sort)}`;
}
