import type { Egress } from '../../../shared/platform/egress/egress.ts';

/** A source of prices in dollars. It may be hostile. */
export interface PriceSource {
  readonly name: string;
  /** Undefined: it does not have this asset. Rejects with a reason for an operator. */
  readonly quoteOf: (sign: string) => Promise<Quote> | undefined;
}

export interface Quote {
  /** The price as the source writes it; the reader of the quote checks it. */
  readonly price: string;
  /** Time of the price, by the source. */
  readonly at: Date;
  /** Maximum age, if the source has a rule of its own. */
  readonly ageMaxMs?: number;
}

const ANSWER_MS_MAX = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** The answer of an HTTP source, of which only is known that it is JSON. */
export async function readJson(
  egress: Egress,
  url: string,
  own: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const { status, body } = await egress.request(url, {
    // Coinbase refuses requests without a User-Agent.
    headers: { accept: 'application/json', 'user-agent': 'agent-marketplace', ...own },
    timeoutMs: ANSWER_MS_MAX,
    bytesMax: ANSWER_BYTES_MAX,
  });
  if (status !== 200) throw new Error(`answers ${status}`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Error('answers something that is no JSON');
  }
}

/** The value at this path in foreign JSON; undefined: there is none. */
export const partOf = (value: unknown, ...steps: readonly (string | number)[]): unknown =>
  steps.reduce<unknown>(
    (part, step) =>
      part !== null && typeof part === 'object' && Object.hasOwn(part, step)
        ? (part as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );

/** The text or number there, as a text. Empty: it is neither. */
export function textIn(value: unknown, ...steps: readonly (string | number)[]): string {
  const part = partOf(value, ...steps);
  return typeof part === 'string' || typeof part === 'number' ? String(part) : '';
}
