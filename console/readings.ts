import type { ReadName } from './answers.ts';
import type { Asked, Page, Reading } from './page.ts';

/** One thing that a page reads. */
export interface NamedReading {
  /** What the view calls it. */
  readonly as: string;
  readonly name: ReadName;
  readonly reading: Reading;
  /** The page is nothing without it. */
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

/** The input of a reading for what was asked; undefined: it is not read this time. */
export function inputFor(
  reading: Reading,
  asked: Asked,
): Readonly<Record<string, unknown>> | undefined {
  if (typeof reading === 'string') return {};
  const [, input] = reading;
  return typeof input === 'function' ? input(asked) : input;
}
