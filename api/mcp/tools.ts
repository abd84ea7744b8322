import { domainOf } from '../../shared/composition/catalog.ts';
import type { Tool } from '@modelcontextprotocol/server';

import { accessRefusal } from '../../shared/domains/agents/access.ts';
import type { Caller } from '../../shared/kernel/caller.ts';
import { NEXT_ACTIONS } from '../../shared/composition/error_body.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import { SPECIFIED_TOOLS } from './specified_tools.ts';
import { tools, toolsNamedIn } from './tool_names.ts';
import { toolOf } from './tool_schemas.ts';

/** All tools, those of the specification first, in its order. */
const inOrder = [
  ...SPECIFIED_TOOLS.map((name) => tools.get(name)!),
  ...[...tools.values()].filter(({ name }) => !SPECIFIED_TOOLS.includes(name)),
];
const all = new Set(inOrder);

/** The specification's tools. */
const core = new Set(inOrder.slice(0, SPECIFIED_TOOLS.length));
/** The tools that these tell to call next, and so on. */
const related = new Set(core);
for (const op of toolsNamedIn(JSON.stringify(NEXT_ACTIONS))) related.add(op);
// Iterating a Set includes the items added meanwhile.
for (const op of related) {
  for (const next of toolsNamedIn(JSON.stringify(toolOf(op, all)))) related.add(next);
}

/** Groups of tools beside the domains. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  market: ['products', 'orders'],
};
const READ_ONLY = 'read-only';
const CORE = 'core';
/** Adds to core the tools that it leads to. */
const RELATED = 'related';
const groups = [...new Set([CORE, RELATED, ...Object.keys(GROUPS), ...inOrder.map(domainOf)])];

/**
 * The filter of `?tools=`: groups and names of tools, and `read-only`, which leaves only the
 * chosen tools (alone: all tools) that change nothing and cost nothing. Undefined: all tools.
 */
export function filterOf(query: string | string[] | undefined): readonly string[] | undefined {
  const words = query === undefined ? undefined : [query].flat().join(',').split(',');
  const isKnown = (word: string) => word === READ_ONLY || groups.includes(word) || tools.has(word);
  if (words?.every(isKnown) === false) {
    const message = `may name tools, ${READ_ONLY} and the groups ${groups.join(', ')}`;
    throw invalid([{ pointer: '/tools', message }]);
  }
  return words && [...new Set(words)];
}

export interface ToolList {
  readonly tools: Tool[];
  /** The list as JSON. It is as large as a document, so it is written once. */
  readonly json: Buffer;
}

const LISTS_MAX = 100;
const lists = new Map<string, ToolList>();

/**
 * The tools that this filter chooses; for a known caller, those that its key allows. `core` and
 * `related` do not depend on the key.
 */
export function listTools(
  filter: readonly string[] | undefined,
  caller: Caller | undefined,
): ToolList {
  const rights = caller && [...caller.scopes.toSorted(), caller.agentId === caller.rootId];
  const name = JSON.stringify([filter?.toSorted(), rights]);
  let list = lists.get(name);
  if (!list) {
    const listed = choose(filter, caller);
    const chosen = [...listed].map((op) => toolOf(op, listed));
    list = { tools: chosen, json: Buffer.from(JSON.stringify(chosen)) };
    if (lists.size >= LISTS_MAX) lists.clear(); // Callers choose the filters.
    lists.set(name, list);
  }
  return list;
}

function choose(filter: readonly string[] = [], caller: Caller | undefined): Set<AnyOperation> {
  const isReadOnly = filter.includes(READ_ONLY);
  const words = filter.filter((word) => word !== READ_ONLY);
  const domains = words.flatMap((word) => GROUPS[word] ?? [word]);
  const isNamed = (op: AnyOperation) =>
    words.length === 0
      ? op.bindings?.tool !== 'by_name'
      : domains.includes(domainOf(op)) || words.includes(op.name);
  const isChosen = (op: AnyOperation) =>
    (!isReadOnly || op.mode === 'read') &&
    ((words.includes(CORE) && core.has(op)) ||
      (words.includes(RELATED) && related.has(op)) ||
      (isNamed(op) && allows(caller, op)));
  const chosen = inOrder.filter(isChosen);
  // The list of the specification holds its tools, and nothing else.
  if (words.length === 1 && words[0] === CORE) return new Set(chosen);
  // A pending answer tells to call get_job, which any key may.
  const poll = chosen.some(({ mode }) => mode === 'job') ? tools.get('get_job') : undefined;
  return new Set(inOrder.filter((op) => op === poll || chosen.includes(op)));
}

/** Whether this caller may call this tool; undefined: callers without a key are shown all. */
export const allows = (caller: Caller | undefined, op: AnyOperation): boolean =>
  !caller || !accessRefusal(caller, op);
