import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

import type { Chain } from './ledger/chain.ts';

/**
 * The groups that the network has taken, in a file: one line each, after a line for the network.
 */
interface Journal {
  /** Start of the network, in milliseconds since 1970. */
  readonly beganAt: number;
  /** The current time; while the file is read, the time of the group that is read. */
  now(): number;
  append(taken: { readonly round: bigint; readonly bytes: Uint8Array }): void;
  /** Applies all groups to a new chain. */
  replay(chain: Chain): void;
}

interface NetworkLine {
  readonly beganAt: number;
}

interface Line {
  readonly round: string;
  readonly at: number;
  readonly group: string;
}

/** Without a file nothing is kept. A truncated last line was answered to nobody. */
export function openJournal(file: string | undefined, clock: () => number): Journal {
  const text = file && existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first, ...lines] = whole.split('\n').filter(Boolean);
  const beganAt = first ? (JSON.parse(first) as NetworkLine).beganAt : clock();
  if (file && whole !== text) writeFileSync(file, whole);
  if (file && !first) writeFileSync(file, `${JSON.stringify({ beganAt })}\n`, { mode: 0o600 });
  let replayed: number | undefined = beganAt;

  return {
    beganAt,
    now: () => replayed ?? clock(),
    append({ round, bytes }) {
      if (!file) return;
      const group = Buffer.from(bytes).toString('base64');
      const line: Line = { round: String(round), at: clock(), group };
      appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
    replay(chain) {
      for (const line of lines) {
        const { round, at, group } = JSON.parse(line) as Line;
        if (BigInt(round) > chain.lastRound() + 1n) chain.advanceTo(BigInt(round) - 1n);
        replayed = at;
        chain.take(Buffer.from(group, 'base64'));
      }
      if (chain.waiting().length > 0) chain.advanceTo(chain.lastRound() + 1n);
      replayed = undefined;
    },
  };
}
