import { invalid } from './invalid.ts';

const DEPTH_MAX = 32;

/** NUL, and halves of surrogate pairs: `u` sees whole pairs as one character. */
// eslint-disable-next-line no-control-regex -- a control is what this looks for
const UNSTORABLE = /[\u0000\ud800-\udfff]/u;

/**
 * Refuses text that PostgreSQL can store neither as text nor as jsonb, and nesting so deep that a
 * recursion could exhaust the stack. Applied to every field, so no schema has to state it.
 */
export function refuseUnstorable(value: unknown): void {
  const fault = faultIn(value, 0);
  // A pointer repeats names from the input, so its length is limited.
  if (fault) throw invalid([{ ...fault, pointer: fault.pointer.slice(0, 200) }]);
}

/** The reason why PostgreSQL cannot store a value; undefined: it can. */
export const unstorableIn = (value: unknown): string | undefined => faultIn(value, 0)?.message;

interface Fault {
  readonly pointer: string;
  readonly message: string;
}

function faultIn(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'string') {
    if (!UNSTORABLE.test(value)) return undefined;
    return { pointer: '', message: 'must not hold characters that are not text' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === DEPTH_MAX) return { pointer: '', message: `is deeper than ${DEPTH_MAX} levels` };
  if (Array.isArray(value)) return faultInList(value, depth);
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name];
    if (UNSTORABLE.test(name))
      return { pointer: '', message: 'must not have a field whose name is not text' };
    const fault = faultIn(inner, depth + 1);
    if (fault) return { ...fault, pointer: `/${escaped(name)}${fault.pointer}` };
  }
  return undefined;
}

/** Loops by index: reading the keys of 100 000 items takes ten times as long as the items. */
function faultInList(list: readonly unknown[], depth: number): Fault | undefined {
  for (let n = 0; n < list.length; n += 1) {
    const fault = faultIn(list[n], depth + 1);
    if (fault) return { ...fault, pointer: `/${n}${fault.pointer}` };
  }
  return undefined;
}

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
