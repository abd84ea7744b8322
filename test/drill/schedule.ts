import { randomOf } from './random.ts';

/** The weights of the kinds of faults. */
export const MIX = {
  'worker killed': 14, // and its dispatcher
  'worker frozen': 7,
  'API killed': 4,
  'API frozen': 4,
  'SOCKS5 server killed': 3,
  'SOCKS5 server frozen': 2,
  'Redis killed': 11, // it stores nothing on disk: all its data is lost
  'Redis frozen': 8,
  'Redis clients disconnected': 17,
  'PostgreSQL killed': 6,
  'PostgreSQL frozen': 6,
  'PostgreSQL sessions ended': 23,
} as const;

export type FaultKind = keyof typeof MIX;
type Mix = Readonly<Partial<Record<FaultKind, number>>>;

export interface Fault {
  readonly kind: FaultKind;
  /** After the start of the drill's faults. */
  readonly atMs: number;
  /** Length of a freeze. */
  readonly forMs: number;
  /** 0 ≤ n < 1: which of several processes or sessions. */
  readonly target: number;
}

/**
 * A pushed job without an answer is pushed once more after 1 s, then 4 s; a session that idles in a
 * transaction is ended after 10 s. Some freezes are shorter than all of these, some longer.
 */
const FREEZES_MS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  'worker frozen': [500, 6_000],
  'API frozen': [300, 3_000],
  'SOCKS5 server frozen': [300, 3_000],
  'Redis frozen': [200, 1_800],
  'PostgreSQL frozen': [200, 1_800],
};
/** One freeze of a worker in this number outlasts the session that the worker holds. */
const LONG_ONE_IN = 8;
const LONG_MS = 12_000;

/** Each kind happens at least so often, if there are faults enough. */
const LEAST = 2;

export interface ScheduleOptions {
  readonly faults: number;
  /** Between two faults, on average. */
  readonly everyMs: number;
  readonly mix?: Mix;
  /** How long freezes last; absent: as FREEZES_MS says. */
  readonly freezesMs?: readonly [least: number, most: number];
}

/** Which fault happens when. A pure function of its arguments. */
export function scheduleOf(
  seed: number,
  { faults, everyMs, mix = MIX, freezesMs }: ScheduleOptions,
): Fault[] {
  const random = randomOf(seed);
  let atMs = 0;
  const kinds = Object.keys(mix) as FaultKind[];
  const first = Array.from({ length: LEAST }, () => kinds).flat();
  return Array.from({ length: faults }, () => {
    atMs += Math.round(everyMs * (0.5 + random.next()));
    const [kind = random.weighted(mix as Record<FaultKind, number>)] =
      first.length > 0 ? first.splice(random.below(first.length), 1) : [];
    const [least, most] = freezesMs ?? FREEZES_MS[kind] ?? [0, 0];
    const isLong = kind === 'worker frozen' && faults > 100 && random.below(LONG_ONE_IN) === 0;
    const forMs = isLong ? LONG_MS : Math.round(least + random.next() * (most - least));
    return { kind, atMs, forMs, target: random.next() };
  });
}
