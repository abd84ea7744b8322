import { CATEGORIES, type Category } from '../../../../shared/domains/products/products.ts';

/** A kind of product, and the form that lists one. */
export interface ProductKind {
  /** Its name in the query of the page. */
  readonly name: string;
  readonly title: string;
  /** The goods of a buyer, in one sentence. */
  readonly says: string;
  readonly op: 'create_product' | 'create_dataset';
  /** The fields that are the same for all products of this kind. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly fields: readonly string[];
  /** Those that this kind needs, and others do not. */
  readonly needs: readonly string[];
  /** Categories to choose from. */
  readonly categories: readonly Category[];
  readonly notes?: Readonly<Record<string, string>>;
  /** Initial values. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Path after listing. */
  readonly next: string;
}

const FIRST = ['title', 'description', 'category', 'price'] as const;
const LAST = ['release_hours', 'accepts_credit'] as const;
const USUAL = { release_hours: 72, accepts_credit: true } as const;
const SHOW = '/console/selling/:product_id';

export const PRODUCT_KINDS: readonly ProductKind[] = [
  {
    name: 'keys',
    title: 'Keys or accounts',
    says: 'Each buyer gets a line of a list, such as a license key. Each line is sold once.',
    op: 'create_product',
    input: { stock_kind: 'serial_pool' },
    fields: [...FIRST, 'items', ...LAST],
    needs: ['items'],
    categories: CATEGORIES.filter((one) => one !== 'dataset'),
    values: { ...USUAL, category: 'serial_key' },
    next: SHOW,
  },
  {
    name: 'api',
    title: 'API access',
    says: 'Each buyer gets a key of its own for your service.',
    op: 'create_product',
    input: { stock_kind: 'serial_pool', category: 'api_service' },
    fields: ['title', 'description', 'price', 'items', ...LAST],
    needs: ['items'],
    categories: [],
    notes: {
      description: 'Address, calls, limits, and for how long a key works. Everybody reads it.',
      items:
        'Each line is delivered to one buyer: a key, or address and key together, such as ' +
        '{"base_url": "https://api.example.com", "key": "k-1"}. No line twice.',
    },
    values: USUAL,
    next: SHOW,
  },
  {
    name: 'unlimited',
    title: 'One text for everybody',
    says: 'Each buyer gets the same text, such as a link or a file as text. It never runs out.',
    op: 'create_product',
    input: { stock_kind: 'unlimited' },
    fields: [...FIRST, 'content', ...LAST],
    needs: ['content'],
    categories: CATEGORIES,
    values: USUAL,
    next: SHOW,
  },
  {
    name: 'counted',
    title: 'A limited number',
    says: 'Each buyer gets the same text, until the quantity is sold.',
    op: 'create_product',
    input: { stock_kind: 'counted' },
    fields: [...FIRST, 'content', 'quantity', ...LAST],
    needs: ['content', 'quantity'],
    categories: CATEGORIES,
    values: USUAL,
    next: SHOW,
  },
  {
    name: 'dataset',
    title: 'Dataset',
    says: 'Buyers read rows, page by page, for as long as you say.',
    op: 'create_dataset',
    input: { type: 'json' },
    fields: ['title', 'description', 'price', 'data', 'access_days', 'release_hours'],
    needs: ['data'],
    categories: [],
    values: { release_hours: 72 },
    next: '/console/selling',
  },
];

/** The kind that a query names; the first one if it names none. */
export const kindOf = (name: string | undefined): ProductKind =>
  PRODUCT_KINDS.find((one) => one.name === name) ?? PRODUCT_KINDS[0]!;
