import { ACCOUNT_WORDS, CHARS } from './account_words.ts';
import type { FieldWords, FormWords } from './form_words.ts';
import { PAYMENT_WORDS } from './payment_words.ts';
import { RULE_WORDS } from './rule_words.ts';
import { SELLING_WORDS } from './selling_words.ts';

const REASON = { label: 'Reason', note: 'Both sides read it.', isLong: true } as const;
const LOGGED = { label: 'Note', note: 'Stays in the log of operators.' } as const;
const SCOPES = { read: 'read', buy: 'buy and post tasks', sell: 'sell' } as const;

const FIELD_WORDS: Readonly<Record<string, FormWords>> = {
  ...SELLING_WORDS,
  ...ACCOUNT_WORDS,
  ...RULE_WORDS,
  ...PAYMENT_WORDS,
  confirm_orders: {
    order_ids: { label: 'Orders', empty: 'Tick the orders whose sellers you pay.' },
  },
  set_proxy_addresses: {
    addresses: { label: 'Addresses', note: 'Public ones, one a line; at most 16.' },
  },
  sandbox_advance: {
    hours: { label: 'Hours', note: 'The others of your orders and tasks stay as they are.' },
  },
  dispute_order: {
    reason: { ...REASON, label: 'Complaint', note: 'The seller and the reviewer read it.' },
  },
  respond_dispute: {
    response: {
      label: 'Your answer',
      note: 'The buyer and the reviewer read it.',
      isLong: true,
    },
  },
  upload_email_file: {
    content: { label: 'File' },
    file: { label: 'File', empty: 'Choose a file first.' },
    column: {
      label: 'Column of the addresses',
      note: 'Its name or number. Empty: the one with the most addresses.',
    },
  },
  judge_labor_claim: {
    verdict: { label: 'Verdict', choices: { accept: 'Accept and pay', reject: 'Reject' } },
    reason: { ...REASON, note: 'Its worker reads it, and can appeal to an operator.' },
  },
  labor_appeal: { reason: { ...REASON, note: 'The poster and an operator read it.' } },
  deliver_labor_task: { submission: { label: 'Answer', isLong: true } },
  send_message: { text: { label: 'Message', isLong: true } },
  task_post: {
    title: { label: 'Title', note: 'One line. Everybody reads it.' },
    description: {
      label: 'Description',
      note: 'The work, its form, and how you will judge it. Everybody reads it.',
      isLong: true,
    },
    budget: { label: 'Budget', note: 'In USD. Held in escrow until you approve or cancel.' },
  },
  task_request_revision: {
    note: { label: 'Changes that you need', note: 'The worker reads it.', isLong: true },
  },
  task_cancel: { reason: { ...REASON, note: 'Those who submitted work read it.' } },
  task_reject: { reason: { ...REASON, note: 'The worker reads it, and may dispute it.' } },
  task_dispute: { reason: { ...REASON, note: 'The other side and the reviewer read it.' } },
  spawn_agent: {
    name: {
      label: 'Name',
      note: 'Others see it after your own name and a slash.',
      wrong: 'Choose a name without a slash.',
    },
    permissions: { label: 'It may', choices: SCOPES },
    daily_spend_limit: {
      label: 'A day, at most',
      note: 'In USD, with all below it. You can change it at any time. Empty: no limit.',
    },
  },
  set_policy: {
    governance_level: {
      label: 'Governance',
      note:
        'Low: the limits below, and what you are asked above. Medium: the first purchase from a ' +
        'seller too. High: each withdrawal and each loosened policy too, and for a day after ' +
        'something looked wrong, everything.',
    },
    max_spend_per_tx: {
      label: 'At a time, at most',
      note: 'In USD, fee included. Empty: no limit. 0: nothing.',
    },
    daily_spend_limit: {
      label: 'A day, at most',
      note: 'In USD, from midnight to midnight UTC, with all below it. Empty: no limit.',
    },
    approval_threshold: {
      label: 'Ask me above',
      note: 'In USD. What spends more waits for you. Empty: you are not asked.',
    },
    new_seller_threshold: {
      label: 'Ask me above, at the first purchase from a seller',
      note: 'In USD, at medium and high. Empty: you are not asked.',
    },
    allowed_product_types: {
      label: 'May spend on',
      note: 'Untick what its money may not be spent on. To let it spend nothing, set 0 at a time.',
    },
    min_seller_buyers: {
      label: 'Only from sellers with so many buyers',
      note: 'Established ones: see the record of a seller. Empty: from all sellers.',
    },
    auto_suspend_on_anomaly: {
      label: 'Stop it when something looks wrong',
      note: 'Bursts, repeated purchases, too many refusals. You let it go on.',
    },
  },
  create_key: {
    name: { label: 'Name', note: 'To know it by, such as the program that uses it.' },
    scopes: { label: 'It may', choices: SCOPES },
    expires_at: {
      label: 'Works until',
      note: 'The end of this day by UTC; until it is revoked if empty.',
    },
  },
  update_connection: {
    scopes: { label: 'It may', choices: SCOPES },
    daily_spend_limit: { label: 'Dollars a day at most', note: 'Empty: no limit of its own.' },
  },
  create_webhook: {
    url: { label: 'Address', note: 'Such as https://example.com/events.' },
    types: { label: 'Events', note: 'Only of what is ticked; all if nothing is.' },
    description: { label: 'Purpose', note: 'To know it by.' },
  },
  stripe_topup: {
    amount: { label: 'Amount', note: 'In USD, from 0.50 to 10 000.00.' },
    save_card: { label: 'Keep the card', note: 'Auto-recharge needs a kept card.' },
  },
  set_auto_recharge: {
    enabled: { label: 'On', note: 'Needs a card that was kept.' },
    threshold: { label: 'When there is less than', note: 'In USD.' },
    amount: { label: 'Add', note: 'In USD, charged to the card.' },
    monthly_limit: { label: 'A month, at most', note: 'In USD.' },
  },
  review_product: {
    decision: {
      label: 'Decision',
      choices: { approve: 'Approve', reject: 'Reject', suspend: 'Take off sale' },
    },
    note: { label: 'Reason', note: 'The seller reads it.' },
  },
  decide_dispute: {
    verdict: {
      label: 'Decision',
      choices: { release: 'Pay the seller', refund: 'Refund the buyer', split: 'Split' },
    },
    seller_amount: { label: 'To the seller', note: 'In USD, only for a split.' },
    note: REASON,
  },
  decide_task_dispute: {
    verdict: {
      label: 'Decision',
      choices: { approve: 'Pay the worker', refund: 'Refund the poster', split: 'Split' },
    },
    worker_amount: { label: 'To the worker', note: 'In USD, only for a split.' },
    note: REASON,
  },
  decide_labor_appeal: {
    verdict: { label: 'Decision', choices: { accept: 'Pay the worker', reject: 'Pay nothing' } },
    note: REASON,
  },
  review_withdrawal: {
    decision: {
      label: 'Decision',
      choices: { approve: 'Pay it out', deny: 'Deny it', refund: 'Return it to the wallet' },
    },
    note: { label: 'Reason', note: 'The owner reads it.' },
  },
  retry_job: { note: LOGGED },
  operator_suspend_agent: { note: { label: 'Reason', note: 'The owner reads it.' } },
  operator_resume_agent: { note: { label: 'Reason', note: 'The owner reads it.' } },
  give_goodwill: {
    amount: { label: 'Amount', note: 'Credit in USD, for the whole tree of the agent.' },
    reference: {
      label: 'Reference',
      note: 'Such as a ticket number. Each is paid once.',
      wrong: 'Write it without spaces.',
    },
    note: LOGGED,
  },
  register_agent: {
    username: {
      label: 'Name',
      wrong: 'Use the letters a to z and digits, and _ . - after the first one. No spaces.',
    },
    email: { label: 'Email' },
    password: { label: 'Password', note: CHARS },
  },
};

/** The words of a field that a form shows. */
export function fieldWords(op: string, field: string): FieldWords {
  const words = FIELD_WORDS[op]?.[field];
  if (words) return words;
  // A page without the best word is of more use than none; a test finds what lacks words.
  const name = field.replace(/_id$/, '').replaceAll('_', ' ');
  return { label: name.charAt(0).toUpperCase() + name.slice(1) };
}

/** The sentence for a value of a field that is not written as it has to be. */
export const wrongOf = (op: string, field: string): string =>
  FIELD_WORDS[op]?.[field]?.wrong ?? 'This is not written as it has to be.';

/** The sentence for a field without a value. */
export const emptyOf = (op: string, field: string): string =>
  FIELD_WORDS[op]?.[field]?.empty ?? 'Fill this in.';

/** The sentence for a text that is too short, if its length says little to a person. */
export const shortOf = (op: string, field: string): string | undefined =>
  FIELD_WORDS[op]?.[field]?.short;

/** The label of any field of an operation, also of one that forms do not show. */
export const labelOf = (op: string, field: string): string => fieldWords(op, field).label;
