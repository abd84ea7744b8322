import type { Egress } from '../../../shared/platform/egress/egress.ts';

/** One that says what assets are worth in dollars. It may be hostile. */
export interface PriceSource {
  readonly name: string;
  /** Undefined: it does not have this asset. Rejects with a reason for an operator. */
  readonly quoteOf: (sign: string) => Promise<Quote> | undefined;
}

export interface Quote {
  /** As the source writes it, checked by whoever reads the quote. */
  readonly price: string;
  /** When it was so, as the source says. */
  readonly at: Date;
  /** How old it may be, where the source has a rule of its own. */
  readonly ageMaxMs?: number;
}

const ANSWER_MS_MAX = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** What a source of HTTP answers, of which nothing is known but that it is JSON. */
export async function readJson(egress: Egress, url: string): Promise<unknown> {
  const { status, body } = await egress.request(url, {
    // Coinbase refuses requests without a name.
    headers: { accept: 'application/json', 'user-agent': 'agent-marketplace' },
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

/** What is there in JSON of another, step by step; undefined: nothing. */
export const partOf = (value: unknown, ...steps: readonly (string | number)[]): unknown =>
  steps.reduce<unknown>(
    (part, step) =>
      part !== null && typeof part === 'object' && Object.hasOwn(part, step)
        ? (part as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );

/** The same where it is a text or a number, as a text. Empty: it is neither. */
export function textIn(value: unknown, ...steps: readonly (string | number)[]): string {
  const part = partOf(value, ...steps);
  return typeof part === 'string' || typeof part === 'number' ? String(part) : '';
}
