import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SHOWN_MAX = 12;

interface LogLine {
  readonly process: string;
  readonly level: string;
  readonly msg: string;
  readonly err?: { readonly code?: string; readonly message?: string };
}

/** The faults that the processes of a drill logged, the most frequent first: `[what, times]`. */
export function loggedFaults(logs: string): [what: string, times: number][] {
  const counts = new Map<string, number>();
  for (const file of readdirSync(logs)) {
    for (const text of readFileSync(join(logs, file), 'utf8').split('\n')) {
      if (!text.includes('"level":"error"') || !text.endsWith('}')) continue;
      const { process, msg, err } = JSON.parse(text) as LogLine;
      const what = `${process}: ${msg}: ${err?.code ?? ''} ${err?.message ?? ''}`.slice(0, 120);
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN_MAX);
}
