import { tools as catalog } from '../../shared/composition/catalog.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { nearestNames } from '../../shared/kernel/terms/nearest_name.ts';

/** The tools on the lists. Operators use REST. */
export const tools = new Map([...catalog].filter(([, op]) => op.access !== 'operator'));

/** Maximum names suggested for one that does not exist. */
const SUGGESTED_MAX = 3;

/** The sentence for a name that no tool has: it suggests those that may be meant. */
export function noSuch(what: string, name: string, known: Iterable<string>, other: string): string {
  const near = nearestNames(name, [...new Set(known)], SUGGESTED_MAX);
  const none = `There is no such ${what}`;
  return near.length === 0 ? `${none}. ${other}` : `${none}: did you mean ${near.join(' or ')}?`;
}

/** The tools that this text names. */
export const toolsNamedIn = (text: string): AnyOperation[] =>
  [...new Set(text.match(/\b[a-z]+(_[a-z]+)+\b/g))].flatMap((word) => tools.get(word) ?? []);

/**
 * The text for a list of these tools: a model should not read about a tool that it cannot see. Of
 * "a or b" the listed tool stays; any other sentence that names an unlisted tool is left out.
 */
export function withoutUnlisted(text: string, listed: ReadonlySet<AnyOperation>): string {
  const missing = (part: string) => toolsNamedIn(part).filter((op) => !listed.has(op));
  let rest = text;
  for (const { name } of missing(text)) {
    rest = rest.replace(new RegExp(`\\b${name} (and|or) | (and|or) ${name}\\b`, 'g'), '');
  }
  const sentences = rest.split(/(?<=[.!?]) /);
  return sentences.filter((sentence) => missing(sentence).length === 0).join(' ');
}
