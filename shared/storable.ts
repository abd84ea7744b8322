import { invalid } from './schema.ts';

const DEPTH_MAX = 32;

/** NUL, and halves of surrogate pairs: `u` sees whole pairs as one character. */
// eslint-disable-next-line no-control-regex -- a control is what this looks for
const UNSTORABLE = /[\u0000\ud800-\udfff]/u;

/**
 * Refuses what PostgreSQL can hold neither as text nor as jsonb, and nesting so deep that walking
 * it could exhaust the stack. Which field it stands in does not matter, so no schema has to say it.
 */
export function refuseUnstorable(value: unknown, pointer = '', depth = 0): void {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) throw refused(pointer, 'holds characters that are not text');
  } else if (typeof value === 'object' && value !== null) {
    if (depth === DEPTH_MAX) throw refused('', `is nested more than ${DEPTH_MAX} levels deep`);
    for (const [name, inner] of Object.entries(value)) {
      if (UNSTORABLE.test(name)) throw refused(pointer, 'has a field whose name is not text');
      refuseUnstorable(inner, `${pointer}/${name}`, depth + 1);
    }
  }
}

// A pointer repeats what was sent, so it is cut.
const refused = (pointer: string, message: string) =>
  invalid([{ pointer: pointer.slice(0, 200), message }]);
