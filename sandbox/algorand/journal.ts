import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

import type { Chain } from './ledger/chain.ts';

/** The groups that the network has taken, in a file: a line each, after one of the network. */
export interface Journal {
  /** When the network began, in milliseconds since 1970. */
  readonly beganAt: number;
  /** The time; while the file is read, when what is read was taken. */
  now(): number;
  append(taken: { readonly round: bigint; readonly bytes: Uint8Array }): void;
  /** Gives a new chain all that was taken. */
  replay(chain: Chain): void;
}

interface First {
  readonly beganAt: number;
}

interface Line {
  readonly round: string;
  readonly at: number;
  readonly group: string;
}

/** Without a file nothing is kept. What is cut at its end was answered to nobody. */
export function openJournal(file: string | undefined, clock: () => number): Journal {
  const text = file && existsSync(file) ? readFileSync(file, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first, ...lines] = whole.split('\n').filter(Boolean);
  const beganAt = first ? (JSON.parse(first) as First).beganAt : clock();
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
