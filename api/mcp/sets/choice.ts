import type { Tool } from '@modelcontextprotocol/server';

import type { Caller } from '../../../shared/agents/caller.ts';
import { filterOf, listTools, type ToolList } from '../tools.ts';
import { GENERIC_TOOLS } from './generic_tools.ts';
import { LEAN, SETS } from './sets.ts';

/** Which tools a client has chosen by its URL. */
export interface Choice {
  /** Groups and names; undefined: all. */
  readonly filter: readonly string[] | undefined;
  /** None of the operations as a tool of its own. */
  readonly isLean: boolean;
  /** Of the four that call every operation. */
  readonly generic: readonly Tool[];
}

/** At /api/v1/mcp. */
export const choiceOfQuery = (query: string | string[] | undefined): Choice => ({
  filter: filterOf(query),
  isLean: false,
  generic: [],
});

/** The set of /mcp, where the URL names none. */
const FIRST = ['start', LEAN];
const READ_ONLY = 'read-only';

/** At /mcp, where `?tools=` may name sets too, and at /mcp/x/<set>. */
export function choiceOfSet(
  set: string | undefined,
  query: string | string[] | undefined,
  isReadOnly = false,
): Choice {
  const asked = query === undefined ? [] : [query].flat().join(',').split(',');
  const words = [...(set === undefined ? [] : [set]), ...asked];
  const named = words.length === 0 ? FIRST : words;
  const reads = isReadOnly || named.includes(READ_ONLY);
  const rest = named.filter((word) => word !== LEAN && word !== READ_ONLY);
  const isSet = (word: string) => Object.hasOwn(SETS, word);
  const isAll = rest.some((word) => isSet(word) && SETS[word] === undefined);
  const chosen = rest.flatMap((word) => (isSet(word) ? (SETS[word] ?? []) : [word]));
  const filter = [...(isAll ? [] : chosen), ...(reads ? [READ_ONLY] : [])];
  const generic = named.includes(LEAN) ? GENERIC_TOOLS : [];
  return {
    filter: filterOf(filter.length === 0 ? undefined : filter.join(',')),
    // Only `lean`, or nothing but a wish to read.
    isLean: rest.length === 0 && named.includes(LEAN),
    generic: reads ? generic.filter(({ annotations }) => annotations?.readOnlyHint) : generic,
  };
}

const NONE: ToolList = { tools: [], json: Buffer.from('[]') };
/** Of each list, the same with others after it: as large as a document, so it is written once. */
const extended = new WeakMap<ToolList, Map<string, ToolList>>();

/** The tools of a choice; for a known caller those that its key allows. */
export function listChoice(choice: Choice, caller: Caller | undefined): ToolList {
  const base = choice.isLean ? NONE : listTools(choice.filter, caller);
  if (choice.generic.length === 0) return base;
  const name = choice.generic.map((one) => one.name).join();
  const known = extended.get(base) ?? new Map<string, ToolList>();
  extended.set(base, known);
  let list = known.get(name);
  if (!list) {
    const all = [...base.tools, ...choice.generic];
    list = { tools: all, json: Buffer.from(JSON.stringify(all)) };
    known.set(name, list);
  }
  return list;
}
