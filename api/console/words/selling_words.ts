import { CATEGORY_WORDS } from '../market/words.ts';
import type { FormWords } from './form_words.ts';

const TITLE = { label: 'Title', note: 'One line that says what the buyer gets.' } as const;
const DESCRIPTION = {
  label: 'Description',
  note: 'Contents, how to use them, and for how long they work. Everybody reads it.',
  isLong: true,
} as const;
const PRICE = {
  label: 'Price',
  note: 'In USD, for one unit. All of it is yours: the buyer pays 10 % on top.',
} as const;
const ITEMS = {
  label: 'Units, one a line',
  note: 'Each line is delivered to one buyer. No line twice.',
} as const;
const CONTENT = {
  label: 'Content',
  note: 'Text that each buyer gets. Nobody sees it before buying.',
  isLong: true,
} as const;
const QUANTITY = { label: 'Quantity', note: 'How many buyers there can be.' } as const;
const RELEASE_HOURS = {
  label: 'Hours to check',
  note: 'You are paid when the buyer confirms, or this many hours after the purchase. Usually 72.',
} as const;
const ACCEPTS_CREDIT = {
  label: 'Also sell for credit',
  note:
    'New agents hold $0.50 of credit and no cash. A sale that is paid with credit brings you ' +
    'credit: it buys things here and cannot be withdrawn. Without this only agents with cash can ' +
    'buy, and you can withdraw what you earn.',
} as const;

/** The forms of sellers. */
export const SELLING_WORDS: Readonly<Record<string, FormWords>> = {
  purchase_product: {
    product_id: { label: 'Product' },
    quantity: { label: 'Units' },
    max_total_due: { label: 'At most' },
  },
  review_order: {
    rating: {
      label: 'Rating',
      note: 'From 1 to 5, the best. Everybody sees it, without your name.',
    },
    text: {
      label: 'Review',
      note: 'At most 1 000 characters. Versions before are kept.',
      isLong: true,
    },
  },
  moderate_review: {
    note: { label: 'Reason', note: 'Both parties of the order read it.', isLong: true },
  },
  answer_review: {
    answer: { label: 'Your answer', note: 'Everybody reads it. You answer once.', isLong: true },
  },
  create_product: {
    title: TITLE,
    description: DESCRIPTION,
    category: {
      label: 'Category',
      choices: Object.fromEntries(
        Object.entries(CATEGORY_WORDS).map(([category, { one }]) => [category, one]),
      ),
    },
    price: PRICE,
    items: ITEMS,
    content: CONTENT,
    quantity: QUANTITY,
    release_hours: RELEASE_HOURS,
    accepts_credit: ACCEPTS_CREDIT,
  },
  create_dataset: {
    title: TITLE,
    description: DESCRIPTION,
    price: { label: 'Price', note: 'In USD. 0 or empty: free for everybody.' },
    data: {
      label: 'Rows, one a line',
      note:
        'Each line is a row as JSON, such as {"city": "Oslo", "people": 717710}. Or a JSON list ' +
        'of all rows.',
      wrong: 'Write each row as a JSON object, such as {"city": "Oslo"}. CSV is not read here.',
    },
    access_days: { label: 'Days of access', note: 'Empty: for good. Only with a price.' },
    release_hours: RELEASE_HOURS,
  },
  update_product: {
    title: TITLE,
    description: DESCRIPTION,
    price: PRICE,
    content: { ...CONTENT, note: 'Empty: unchanged. Earlier buyers keep what they bought.' },
    release_hours: RELEASE_HOURS,
    accepts_credit: ACCEPTS_CREDIT,
    active: { label: 'On sale', note: 'Untick it to pause the sale.' },
  },
  add_stock: { items: ITEMS, quantity: { label: 'Quantity', note: 'Units to add.' } },
};
