import type { ComponentChildren } from 'preact';

import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import { useShown } from '../page_state.ts';
import { CATEGORY_WORDS } from '../market/words.ts';
import type { Category } from '../../../shared/domains/products/products.ts';
import { SPENDING_TYPES } from '../../../shared/domains/policies/policy.ts';

/** A choice that can be ticked: its value, and its label if that differs. */
export type Choice = string | readonly [value: string, label: string];

/** The value of a choice and its label. */
export const labelled = (choice: Choice): readonly [value: string, label: string] =>
  typeof choice === 'string' ? [choice, nameOf(choice)] : choice;

/** A category has the name that the market gives it. */
const nameOf = (value: string): string =>
  Object.hasOwn(CATEGORY_WORDS, value)
    ? CATEGORY_WORDS[value as Category].many.replace(/^[A-Z](?=[a-z])/, (one) => one.toLowerCase())
    : value.replaceAll('_', ' ');

/** Text fields whose value is a list with commas, from a closed set of choices. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'set_policy.allowed_product_types': SPENDING_TYPES,
};

/** The choices of such a field; undefined: it is any text. */
export const listOf = (op: Pick<AnyOperation, 'name'>, field: string) =>
  LISTS[`${op.name}.${field}`];

/**
 * The ticked choices as the text of the field. All of them is null, so that later additions to the
 * list are included. None is a word that no list has: an empty text would mean all.
 */
export function listedIn(list: readonly string[], texts: readonly string[]): string | null {
  const ticked = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const named = ticked.filter((text) => text !== '');
  if (named.length === 0) return 'nothing';
  return list.every((one) => named.includes(one)) ? null : named.join(',');
}

/** The ticked choices of a field: all of them if it is empty. */
export const tickedOf = (list: readonly string[], texts: readonly string[]) =>
  texts.length === 0 ? list : texts.flatMap((text) => text.split(','));

/** The refusal of a field that stands elsewhere in its form, such as boxes in a table. */
export function ProblemOf({ op, field }: { op: string; field: string }) {
  const { refused } = useShown();
  const problem = refused?.operation === op ? refused.fields[field] : undefined;
  if (!problem) return null;
  return (
    <p id={`${op}-${field}`} tabIndex={-1}>
      <strong class="problem">{problem}</strong>
    </p>
  );
}

interface ChoicesProps {
  id: string;
  name: string;
  label: string;
  choices: readonly Choice[];
  ticked: readonly string[];
  /** Sent even if nothing is ticked, as an empty text. */
  isAlwaysSent: boolean;
  noteId: string;
  note: ComponentChildren;
}

/** A closed list with a box to tick for each choice. */
export const Choices = ({
  id,
  name,
  label,
  choices,
  ticked,
  isAlwaysSent,
  noteId,
  note,
}: ChoicesProps) => (
  <fieldset id={id} class="field" aria-describedby={noteId} tabIndex={-1}>
    <legend>{label}</legend>
    {isAlwaysSent && <input type="hidden" name={name} value="" />}
    <span class="choices">
      {choices.map((choice) => {
        const [value, text] = labelled(choice);
        return (
          <label>
            <input type="checkbox" name={name} value={value} checked={ticked.includes(value)} />
            {text}
          </label>
        );
      })}
    </span>
    <span id={noteId}>{note}</span>
  </fieldset>
);
