import { invalid } from '../../../kernel/schema.ts';
import { clean } from '../../../kernel/text.ts';
import { readJsonText } from '../../../kernel/reading/json_text.ts';
import { formAnswerOf } from './answer_form.ts';
import { pictureOf } from './picture.ts';
import type { Template } from './template.ts';

interface Unit {
  readonly payload: string;
  readonly expected?: string | undefined;
}

/** Two texts of which one is better, and what they answer. */
interface Pair {
  readonly a: string;
  readonly b: string;
  readonly prompt?: string;
}

/** The pair that a payload is; undefined: it is none. */
export function pairOf(payload: string): Pair | undefined {
  const read = readJsonText(clean(payload));
  const value = 'fault' in read ? undefined : read.value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { a, b, prompt } = value as { readonly [name: string]: unknown };
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  return { a, b, ...(typeof prompt === 'string' && { prompt }) };
}

/**
 * Refuses units whose payload or known answer does not fit the template: no worker could be right.
 * `from`: the number of units before these.
 */
export function assertUnitsFit(template: Template, units: readonly Unit[], from = 0): void {
  const faults = units.flatMap(({ payload, expected }, n) => {
    const at = `/units/${from + n}`;
    if (template.form === 'preference' && !pairOf(payload)) {
      const message = "must be JSON with texts 'a' and 'b', as form 'preference' compares them";
      return [{ pointer: `${at}/payload`, message }];
    }
    if (template.form === 'boxes' && !pictureOf(payload, true)) {
      const message =
        'must be the https address of a picture, or JSON {"image", "width", "height"}';
      return [{ pointer: `${at}/payload`, message }];
    }
    if (expected === undefined) return [];
    return faultsOf(template, { payload, answer: expected }, `${at}/expected`);
  });
  if (faults.length > 0) throw invalid(faults.slice(0, FAULTS_MAX));
}

/** Refuses examples whose answer does not fit the template. */
export function assertExamplesFit(template: Template): void {
  const faults = (template.examples ?? []).flatMap((example, n) =>
    faultsOf(template, example, `/template/examples/${n}/answer`),
  );
  if (faults.length > 0) throw invalid(faults);
}

/** Maximum faults that are listed. */
const FAULTS_MAX = 20;

function faultsOf(
  template: Template,
  given: { readonly payload: string; readonly answer: string },
  pointer: string,
) {
  const read = formAnswerOf(template, given);
  return 'fault' in read ? [{ pointer, message: read.fault }] : [];
}
