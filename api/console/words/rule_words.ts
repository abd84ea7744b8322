import type { FormWords } from './form_words.ts';

/** Rules by which something happens, or is told, by itself. */
export const RULE_WORDS: Readonly<Record<string, FormWords>> = {
  set_confirm_rule: {
    enabled: { label: 'Confirm small orders by themselves' },
    amount_max: { label: 'Up to', note: 'In USD, with the fee.' },
    hours: { label: 'Hours after the vault was first opened', note: '1 to 72.' },
  },
  set_call_alert: {
    errors_percent: {
      label: 'Errors above, in percent',
      note: 'A share of the calls of an hour. Empty: never.',
    },
    calls_min: {
      label: 'If there are at least so many calls',
      note: 'Fewer say nothing. Usually 20.',
    },
    cost_above: { label: 'Cost of an hour above', note: 'In USD. Empty: never.' },
  },
};
