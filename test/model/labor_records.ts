import type { Member } from './work.ts';

const APPEALS_LOST_MAX = 3;

/** How the work of an agent for a poster was judged. */
interface WorkRecord {
  judged: number;
  accepted: number;
  goldSeen: number;
  goldRight: number;
  won: number;
  lost: number;
}
const records = new WeakMap<Member, Map<Member, WorkRecord>>();

/** The records of a worker by poster. */
function recordsOf(worker: Member): Map<Member, WorkRecord> {
  if (!records.has(worker)) records.set(worker, new Map());
  return records.get(worker)!;
}

export function recordWith(worker: Member, poster: Member): WorkRecord {
  const all = recordsOf(worker);
  if (!all.has(poster)) {
    all.set(poster, { judged: 0, accepted: 0, goldSeen: 0, goldRight: 0, won: 0, lost: 0 });
  }
  return all.get(poster)!;
}

/** Whether work of this agent was judged often and well enough; two verdicts of another count. */
export function isKnown(worker: Member, poster: Member): boolean {
  let [seen, right] = [0, 0];
  for (const [by, { judged, accepted }] of recordsOf(worker)) {
    const weight = by === poster ? judged : Math.min(judged, 2);
    seen += weight;
    if (judged > 0) right += weight * Math.min(1, accepted / judged);
  }
  return seen >= 5 && right >= 0.7 * seen;
}

/** Whether operators have rejected most appeals of this agent. */
export function losesAppeals(worker: Member): boolean {
  const all = [...recordsOf(worker).values()];
  const sum = (which: 'won' | 'lost') => all.reduce((total, one) => total + one[which], 0);
  return sum('lost') >= APPEALS_LOST_MAX && sum('lost') > 2 * sum('won');
}
