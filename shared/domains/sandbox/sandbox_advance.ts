import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Nullable, OneOf, Output, Text, Type } from '../../kernel/schema.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, execute, rows } from '../../platform/rows.ts';
import { WAITING_OBJECTS, type WaitingKind } from './waiting_objects.ts';

const HOURS_MAX = 8_760;
const HOUR_US = 3_600_000_000;
/** Timers come once a minute: what is due within one happens together. */
const TURN_US = 60_000_000;
/** Maximum times at which timers run in one call. */
const TURNS_MAX = 100;

const KINDS = Object.keys(WAITING_OBJECTS) as WaitingKind[];

export const sandboxAdvance = operation({
  name: 'sandbox_advance',
  title: 'Advance time in a sandbox',
  summary:
    'Only in a sandbox: lets hours pass for one object of yours. What it waits for (release, ' +
    'expiry, answers to disputes, reviews, leases, appeals, the age of an address) happens now, ' +
    'in order, by the same rules as with real time. Free.',
  phrasings: `
    skip the 72 hours; fast forward the order; test clock; let time pass; release the escrow now
    to test; simulate that the deadline has passed; do not wait, move the clock; make the dispute
    time out; time travel in the sandbox; test what happens after three days`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/sandbox/advance',
  bindings: { tool: 'by_name' },
  refusals: ['not_found', 'forbidden'],
  input: Input({
    kind: OneOf(KINDS, 'Kind of the object.'),
    object_id: Id('Its id. You must be a party of it.'),
    hours: Type.Number({
      minimum: 0,
      maximum: HOURS_MAX,
      description: 'Hours that pass for it, at most a year; 0: only what is due already happens.',
    }),
  }),
  output: Output('AdvancedObject', {
    kind: OneOf(KINDS, 'Its kind.'),
    object_id: Id('Its id.'),
    hours_passed: Type.Number({
      description: 'Hours that passed: fewer than asked if it had more than 100 deadlines.',
    }),
    happened: Type.Array(
      Output('DeadlineThatCame', {
        after_hours: Type.Number({ description: 'Hours that had passed then.' }),
        deadline: Text(1, 40, 'The time that came, such as release_at.'),
        status: Text(1, 40, 'Status of the object afterwards.'),
      }),
      { maxItems: TURNS_MAX + 1, description: 'The deadlines that came, in order.' },
    ),
    status: Text(1, 40, 'Its status now.'),
    next: Nullable(
      Output('NextDeadline', {
        deadline: Text(1, 40, 'Name of the time it waits for; null: none.'),
        in_hours: Type.Number({ description: 'Hours until then.' }),
      }),
    ),
  }),

  async handle(tx, { kind, object_id: id, hours }) {
    if (!tx.config.sandbox) {
      throw new Refusal(
        'forbidden',
        'This deployment is not a sandbox: time cannot be moved here. Test in one with ' +
          'SANDBOX=true, such as npm start makes.',
      );
    }
    await statusOf(tx, kind, id);
    await runTimers(tx, kind); // What is due already happens first.
    let status = await statusOf(tx, kind, id);
    const happened = [];
    const asked = Math.round(hours * HOUR_US);
    let passed = 0;
    for (let n = 0; n < TURNS_MAX; n += 1) {
      const next = await nextDeadline(tx, kind, id);
      const step = next && turnOf(next.us, asked - passed);
      if (!next || step === null) {
        // The times of an object without a deadline would run off the calendar.
        if (next) await pass(tx, kind, id, asked - passed);
        passed = asked;
        break;
      }
      await pass(tx, kind, id, step);
      passed += step;
      await runTimers(tx, kind);
      status = await statusOf(tx, kind, id);
      happened.push({ after_hours: passed / HOUR_US, deadline: next.deadline, status });
    }
    const next = await nextDeadline(tx, kind, id);
    return {
      kind,
      object_id: id,
      hours_passed: passed / HOUR_US,
      happened,
      status,
      next: next && { deadline: next.deadline, in_hours: next.us / HOUR_US },
    };
  },
});

/** The time in µs to the turn of the timers in which a deadline is met; null: not within `most`. */
function turnOf(us: number, most: number): number | null {
  return us > most ? null : Math.min(Math.ceil(us / TURN_US) * TURN_US, most);
}

async function statusOf({ db, caller }: Tx, kind: WaitingKind, id: number): Promise<string> {
  const { statusSql } = WAITING_OBJECTS[kind];
  const [found] = await rows(db, { status: column.text }, statusSql, [id, caller.agentId]);
  if (!found) {
    const hint = kind === 'order' ? ' One that waits for an owner is moved by its approval.' : '';
    throw new Refusal('not_found', `You have no ${kind.replace('_', ' ')} ${id}.${hint}`);
  }
  return found.status;
}

/** The next time at which something happens to it, and µs until then; null: there is none. */
async function nextDeadline(
  { db }: Tx,
  kind: WaitingKind,
  id: number,
): Promise<{ deadline: string; us: number } | null> {
  const times = WAITING_OBJECTS[kind].deadlines.flatMap(({ table, columns, where }) =>
    columns.map(
      (name) => `select '${name}' as deadline, ${name} as at from ${table} where ${where}`,
    ),
  );
  const [next] = await rows(
    db,
    { deadline: column.text, us: column.int },
    `select deadline, (extract(epoch from at - now()) * 1e6)::bigint as us
       from (${times.join(' union all ')}) waits
      where at > now() and isfinite(at) order by at, deadline limit 1`,
    [id],
  );
  return next ?? null;
}

/** Brings all its deadlines nearer, which is as if time had passed for it alone. */
async function pass({ db }: Tx, kind: WaitingKind, id: number, us: number): Promise<void> {
  for (const { table, columns, where } of WAITING_OBJECTS[kind].deadlines) {
    const nearer = columns.map((name) => `${name} = ${name} - $2::float8 * interval '1 us'`);
    await execute(db, `update ${table} set ${nearer.join(', ')} where ${where}`, [id, us]);
  }
}

async function runTimers(tx: Tx, kind: WaitingKind): Promise<void> {
  for (const name of WAITING_OBJECTS[kind].timers) await tx.runTimer(name);
}
