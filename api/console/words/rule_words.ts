import type { FormWords } from './form_words.ts';

/** Rules by which something happens, or is told, by itself. */
export const RULE_WORDS: Readonly<Record<string, FormWords>> = {
  set_confirm_rule: {
    enabled: { label: 'Confirm small orders by themselves' },
    amount_max: { label: 'Up to', note: 'In USD, with the fee. Empty: as before.' },
    hours: {
      label: 'Hours after the vault was first opened',
      note: '1 to 72. Empty: as before.',
    },
  },
  set_goods_check: {
    pattern: {
      label: 'Pattern found in each item',
      note: 'RE2, as ^KEY-[0-9]{5}$. Or a JSON Schema below.',
      wrong: 'Give a pattern of RE2, as ^KEY-[0-9]{5}$, or a JSON Schema in its place.',
    },
    json_schema: {
      label: 'JSON Schema that each item fits',
      note: 'In place of a pattern, for items that are JSON.',
      wrong: 'Give a JSON Schema, as {"type": "object", "required": ["key"]}.',
      empty: 'Give a pattern or a JSON Schema.',
    },
    amount_max: { label: 'Orders up to', note: 'In USD, with the fee.' },
    hours: {
      label: 'Hours until the seller is paid',
      note: '0 to 72, after the goods passed. Until then you can dispute.',
    },
  },
  set_call_alert: {
    errors_percent: {
      label: 'Errors above, in percent',
      note: 'A share of the calls of an hour. Empty: never.',
    },
    calls_min: {
      label: 'Only in hours with at least this many calls',
      note: 'A share of fewer calls says little. Usually 20.',
    },
    cost_above: { label: 'Cost of an hour above', note: 'In USD. Empty: never.' },
  },
};
