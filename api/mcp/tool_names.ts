import { tools as catalog } from '../../shared/kernel/catalog.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';

/** The tools of the lists. Operators use REST. */
export const tools = new Map([...catalog].filter(([, op]) => op.access !== 'operator'));

/** The tools whose names stand in this text. */
export const toolsNamedIn = (text: string): AnyOperation[] =>
  [...new Set(text.match(/\b[a-z]+(_[a-z]+)+\b/g))].flatMap((word) => tools.get(word) ?? []);

/**
 * The text for a list of these tools: a model should not be told of a tool that it cannot see. Of
 * "a or b" the tool that is listed stays; other sentences that name one which is not are left out.
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
