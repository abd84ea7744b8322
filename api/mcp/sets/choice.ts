import type { Tool } from '@modelcontextprotocol/server';

import type { Caller } from '../../../shared/kernel/caller.ts';
import { filterOf, listTools, type ToolList } from '../tools.ts';
import { GENERIC_TOOLS } from './generic_tools.ts';
import { LEAN, SETS } from './sets.ts';

/** The tools that a client has chosen by its URL. */
export interface Choice {
  /** Groups and names of tools; undefined: all tools. */
  readonly filter: readonly string[] | undefined;
  /** True: no operation is a tool of its own. */
  readonly isLean: boolean;
  /** Generic tools on the list: those of the four that call every operation. */
  readonly generic: readonly Tool[];
}

/** The choice at /api/v1/mcp. */
export const choiceOfQuery = (query: string | string[] | undefined): Choice => ({
  filter: filterOf(query),
  isLean: false,
  generic: [],
});

/** The set at /mcp, if the URL names none. */
const FIRST = ['start', LEAN];
const READ_ONLY = 'read-only';

/** The choice at /mcp, where `?tools=` may also name sets, and at the path of a set. */
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
    // Lean if the URL says `lean` alone, or with `read-only`.
    isLean: rest.length === 0 && named.includes(LEAN),
    generic: reads ? generic.filter(({ annotations }) => annotations?.readOnlyHint) : generic,
  };
}

const NONE: ToolList = { tools: [], json: Buffer.from('[]') };
/** Lists with generic tools added. A list is as large as a document, so it is written once. */
const extended = new WeakMap<ToolList, Map<string, ToolList>>();

/** The tools of a choice; for a known caller, those that its key allows. */
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
