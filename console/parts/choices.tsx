import type { ComponentChildren } from 'preact';

import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { SPENDING_TYPES } from '../../shared/policies/policy.ts';

/** What may be ticked: its value, and what it is called where that is another word. */
export type Choice = string | readonly [value: string, label: string];

/** Fields that are texts in their schema, of parts from a closed list with commas between them. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'set_policy.allowed_product_types': SPENDING_TYPES,
};

/** What a text may name, with commas between; undefined: it is any text. */
export const listOf = (op: Pick<AnyOperation, 'name'>, field: string) =>
  LISTS[`${op.name}.${field}`];

/**
 * Of a list in a text what was ticked. All of it is null, so that what is added to the list later
 * is in it too. None is a word that no list has: an empty text would be all of it.
 */
export function listedIn(list: readonly string[], texts: readonly string[]): string | null {
  const ticked = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const named = ticked.filter((text) => text !== '');
  if (named.length === 0) return 'nothing';
  return list.every((one) => named.includes(one)) ? null : named.join(',');
}

/** What of a list in a text is ticked: all of it where the field is empty. */
export const tickedOf = (list: readonly string[], texts: readonly string[]) =>
  texts.length === 0 ? list : texts.flatMap((text) => text.split(','));

interface ChoicesProps {
  name: string;
  label: string;
  choices: readonly Choice[];
  ticked: readonly string[];
  /** Sent also where nothing is ticked, as an empty text. */
  isAlwaysSent: boolean;
  noteId: string;
  note: ComponentChildren;
}

/** A closed list to tick of. */
export const Choices = ({
  name,
  label,
  choices,
  ticked,
  isAlwaysSent,
  noteId,
  note,
}: ChoicesProps) => (
  <fieldset class="field" aria-describedby={noteId}>
    <legend>{label}</legend>
    {isAlwaysSent && <input type="hidden" name={name} value="" />}
    <span class="choices">
      {choices.map((choice) => {
        const [value, text] = typeof choice === 'string' ? [choice, choice] : choice;
        return (
          <label>
            <input type="checkbox" name={name} value={value} checked={ticked.includes(value)} />
            {text.replaceAll('_', ' ')}
          </label>
        );
      })}
    </span>
    <span id={noteId}>{note}</span>
  </fieldset>
);
