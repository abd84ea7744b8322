import type { AnyOperation } from '../kernel/operation.ts';
import type { Secrets } from '../platform/secrets.ts';
import { fingerprintOf, PURPOSE } from './jobs.ts';

/**
 * Whether the recorded call with this hash is the same as this one. A default may be written out
 * in one and left out in the other, because models that repeat a call do not spell it alike. The
 * hash is of the call as it was sent, which every release knows.
 */
export function isSameCall(
  secrets: Secrets,
  recorded: Buffer,
  { op: { name, defaults = {} }, input }: { readonly op: AnyOperation; readonly input: object },
): boolean {
  // The input as it is comes first, and nearly always matches: no other is made then.
  for (const spelled of spellingsOf(input, Object.entries(defaults))) {
    if (secrets.isHashOf(recorded, PURPOSE, fingerprintOf(name, spelled))) return true;
  }
  return false;
}

/** The input as it is, and with each of these defaults written out or left out. */
function* spellingsOf(
  input: object,
  [first, ...others]: readonly (readonly [string, unknown])[],
): Generator<object> {
  yield* first ? spellingsOf(input, others) : [input];
  if (!first) return;
  const [name, value] = first;
  const { [name]: given, ...rest } = input as Record<string, unknown>;
  if (given === undefined) yield* spellingsOf({ ...rest, [name]: value }, others);
  else if (given === value) yield* spellingsOf(rest, others);
}
