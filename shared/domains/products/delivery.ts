import { invalid, Text, Type } from '../../kernel/schema.ts';
import { PublicJson } from '../../kernel/text.ts';

/* What a seller delivers, as input: items of a serial_pool, or one content for all buyers. */

const ITEM_BYTES_MAX = 8 * 1024;
const CONTENT_BYTES_MAX = 64 * 1024;

const Secret = (bytesMax: number, description: string) =>
  Type.Union(
    [Text(1, bytesMax, 'As it is delivered.'), PublicJson(Type.Object({}, { minProperties: 1 }))],
    { description },
  );

export const Items = Type.Array(Secret(ITEM_BYTES_MAX, 'One unit: a string or an object.'), {
  minItems: 1,
  maxItems: 1000,
  description:
    'For serial_pool: one secret a unit, each delivered to one buyer. At most 8 kB each; no ' +
    'secret twice.',
});
export const Content = Secret(
  CONTENT_BYTES_MAX,
  'For counted and unlimited: the goods of every buyer, a string or object of at most 64 kB.',
);
export const Units = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'Units, for counted.',
});

export const ReleaseHours = Type.Integer({
  minimum: 1,
  maximum: 720,
  description: 'Hours after which escrow is released to you, if the buyer is silent.',
});

/** The text that `content` is sealed and delivered as. */
export function contentText(content: string | object): string {
  const text = textOf(content);
  refuseNothing(text, '/content');
  refuseLonger(text, CONTENT_BYTES_MAX, '/content');
  return text;
}

/** A unit as it is sealed and delivered, and as it is compared with others. */
export interface UnitText {
  readonly text: string;
  /** The same for an object in any order of its fields. */
  readonly compared: string;
}

/** The texts of `items`. Refuses two that are the same. */
export function itemTexts(items: readonly (string | object)[]): UnitText[] {
  const seen = new Map<string, number>();
  return items.map((item, n) => {
    const [text, compared] = [textOf(item), comparedOf(item)];
    refuseNothing(text, `/items/${n}`);
    refuseLonger(text, ITEM_BYTES_MAX, `/items/${n}`);
    const first = seen.get(compared);
    if (first !== undefined) {
      throw invalid([{ pointer: `/items/${n}`, message: `must differ from /items/${first}` }]);
    }
    seen.set(compared, n);
    return { text, compared };
  });
}

/** Blank text, and JSON text without a value. */
const NOTHING = /^\s*(\{\s*\}|\[\s*\]|""|null)?\s*$/;

/** Refuses goods that are nothing: whoever bought them would be right to complain. */
function refuseNothing(text: string, pointer: string): void {
  if (NOTHING.test(text)) throw invalid([{ pointer, message: 'must not be empty' }]);
}

function refuseLonger(text: string, bytesMax: number, pointer: string): void {
  if (Buffer.byteLength(text) <= bytesMax) return;
  throw invalid([{ pointer, message: `must not be longer than ${bytesMax} bytes` }]);
}

const textOf = (value: string | object): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function comparedOf(value: string | object): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
