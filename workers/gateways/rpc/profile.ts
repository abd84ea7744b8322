import { openLimit, type Limit } from './limit.ts';
import { openMethods, type Methods } from './methods.ts';
import { openSpacing, type Spacing } from './spacing.ts';

/** Counts of what a provider was asked. */
export const COUNTS = ['calls', 'requests', 'refused', 'blocks'] as const;
export type Counts = Record<(typeof COUNTS)[number], number>;

/** The limits of a provider that a process has learned, and its counts. */
export interface Profile {
  /** Its host, for messages. */
  readonly name: string;
  /** Questions in one request. */
  readonly batch: Limit;
  /** Blocks of a question about logs. */
  readonly logBlocks: Limit;
  readonly spacing: Spacing;
  readonly methods: Methods;
  count(counts: Partial<Counts>): void;
  /** It answered nothing that can be used; undefined: it answered. */
  note(fault: string | undefined): void;
}

/** Moderate: the larger public plans take 100 questions and thousands of blocks. */
const BATCH = { start: 10, max: 100 };
const LOG_BLOCKS = { start: 100, max: 10_000 };

export const openProfile = (
  name: string,
  { count, note }: Pick<Profile, 'count' | 'note'> = NOBODY,
): Profile => ({
  name,
  batch: openLimit(BATCH),
  logBlocks: openLimit(LOG_BLOCKS),
  spacing: openSpacing(name),
  methods: openMethods(),
  count,
  note,
});

const NOBODY = { count: () => undefined, note: () => undefined };
