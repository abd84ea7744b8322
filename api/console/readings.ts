import type { ReadName } from './answers.ts';
import type { PageQuery, Page, Reading } from './page.ts';

/** One reading of a page. */
export interface NamedReading {
  /** Its name in the view. */
  readonly as: string;
  readonly name: ReadName;
  readonly reading: Reading;
  /** The page cannot be shown without it. */
  readonly isNeeded: boolean;
}

export function readingsOf({ reads, cards }: Page): NamedReading[] {
  const of = (readings: Page['reads'], isNeeded: boolean) =>
    Object.entries(readings).map(([as, reading]) => {
      const name = typeof reading === 'string' ? reading : reading[0];
      return { as, name, reading, isNeeded };
    });
  return [...of(reads, true), ...of(cards, false)];
}

/** The input of a reading for this request; undefined: it is skipped. */
export function inputFor(
  reading: Reading,
  asked: PageQuery,
): Readonly<Record<string, unknown>> | undefined {
  if (typeof reading === 'string') return {};
  const [, input] = reading;
  return typeof input === 'function' ? input(asked) : input;
}
