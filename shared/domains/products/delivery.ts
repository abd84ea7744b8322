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
  refuseLonger(text, CONTENT_BYTES_MAX, '/content');
  return text;
}

/** The texts that `items` are sealed and delivered as. */
export function itemTexts(items: readonly (string | object)[]): string[] {
  const seen = new Map<string, number>();
  return items.map((item, n) => {
    const text = textOf(item);
    refuseLonger(text, ITEM_BYTES_MAX, `/items/${n}`);
    const first = seen.get(text);
    if (first !== undefined) {
      throw invalid([{ pointer: `/items/${n}`, message: `must differ from /items/${first}` }]);
    }
    seen.set(text, n);
    return text;
  });
}

function refuseLonger(text: string, bytesMax: number, pointer: string): void {
  if (Buffer.byteLength(text) <= bytesMax) return;
  throw invalid([{ pointer, message: `must not be longer than ${bytesMax} bytes` }]);
}

/** The text of a secret. An object has the same text in any order of its fields. */
function textOf(value: string | object): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
