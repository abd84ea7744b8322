import type { AnswerOf } from '../../answers.ts';
import { Badge, plural, usdOf } from '../../parts/text.tsx';

type Product = AnswerOf<'get_product'>;

/** Kind of the badge of each status. */
const STATES: Readonly<Record<string, string>> = {
  approved: 'yours',
  pending_review: 'held',
  rejected: 'owed',
  suspended: 'owed',
};

/** The state of a listing as a badge: paused, or its status. */
export const ListingState = ({ product }: { product: Pick<Product, 'status' | 'active'> }) => (
  <Badge
    state={product.active ? product.status : 'paused'}
    kind={product.active ? (STATES[product.status] ?? '') : ''}
  />
);

/** Characters below which a description rarely says what a buyer gets, and how to use it. */
const DESCRIPTION_CHARS_MIN = 60;
const TITLE_CHARS_MIN = 8;

/** Sentences about what reviewers and buyers miss in a listing. */
export function lacksOf({ title, description, in_stock: left }: Lacking): string[] {
  const lacks: string[] = [];
  if (title.trim().length < TITLE_CHARS_MIN) {
    lacks.push('The title is too short to say what the buyer gets.');
  }
  if (description.content.trim().length < DESCRIPTION_CHARS_MIN) {
    lacks.push(
      `The description has fewer than ${DESCRIPTION_CHARS_MIN} characters. Say what is ` +
        'delivered, how it is used, and for how long it works.',
    );
  }
  if (left === 0) lacks.push('There are no units to sell. Add some.');
  return lacks;
}

type Lacking = Pick<Product, 'title' | 'description' | 'in_stock'>;

/** The next event in the life of a listing, for its seller. */
export function nextOf(product: Product): string {
  const { status, active, price, release_hours: hours, accepts_credit: takesCredit } = product;
  switch (status) {
    case 'pending_review':
      return 'An operator reviews it, and nobody else sees it before. The result will stand here.';
    case 'rejected':
      return (
        'It was rejected. Change the title, the description, the price or the content, and it ' +
        'is reviewed again.'
      );
    case 'suspended':
      return (
        'An operator has taken it off sale, and only an operator can put it back. Paid orders ' +
        'go on as usual.'
      );
    case 'archived':
      return 'It is archived for good. Paid orders go on as usual.';
    default:
      return active
        ? `It is on sale. For each unit you get ${usdOf(price)}` +
            `${takesCredit ? ', in credit as far as the buyer pays with credit' : ' in cash'}, ` +
            `when the buyer confirms or ${plural(hours, 'hour')} after the purchase.`
        : 'It is paused. Tick “On sale” below, and it can be bought at once.';
  }
}
