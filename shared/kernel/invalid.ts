import { FIELDS_MAX, type BadField } from './oversize.ts';
import { Refusal } from './refusal.ts';

/** A `validation_error` about these fields. Pointers are RFC 6901. */
export function invalid(fields: readonly BadField[]): Refusal {
  const shown = fields.slice(0, FIELDS_MAX);
  const said = shown
    .map(({ pointer, message }) => `${pointer || 'the input'} ${message}`)
    .join('; ');
  // One may end with a question.
  return new Refusal('validation_error', said.replace(/[^?]$/, '$&.'), { fields: shown });
}
