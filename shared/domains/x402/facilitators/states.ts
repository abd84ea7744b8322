import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, nullable, oneOf, rows, type Database } from '../../../platform/rows.ts';
import type { X402Settings } from '../settings.ts';

/** Path of the protocol that a facilitator was asked at. */
export type Endpoint = 'supported' | 'verify' | 'settle';

/** One request to a facilitator, and what was wrong with its answer, in words of ours. */
export interface FacilitatorAnswer {
  readonly facilitator: string;
  readonly endpoint: Endpoint;
  /** null: it answered as the protocol says. */
  readonly fault: string | null;
}

/** A fault of which nothing was heard for so long is over, or nobody pays any more. */
const HEARD_WITHIN = `interval '1 hour'`;

/**
 * Records whether facilitators answer, and logs their faults. A row is written when its state
 * changes, and once a minute: payments would wait for each other's.
 */
export async function recordAnswers(tx: Tx, answers: readonly FacilitatorAnswer[]): Promise<void> {
  const inOrder = answers.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  for (const { facilitator, endpoint, fault } of inOrder) {
    const [known] = await rows(
      tx.db,
      KNOWN,
      `select fault is not null as failing,
              fault is not distinct from $3::text
                and asked_at > now() - interval '1 minute' as same
         from x402_facilitator where (name, endpoint) = ($1, $2)`,
      [facilitator, endpoint, fault],
    );
    if (fault !== null) {
      // A check that fails once is a restart or a short outage, and loses no payment.
      const level = endpoint === 'supported' && !known?.failing ? 'debug' : 'warn';
      tx.log[level]({ facilitator, endpoint, fault }, 'a facilitator failed');
    }
    if (known?.same) continue;
    await execute(
      tx.db,
      `insert into x402_facilitator as known (name, endpoint, fault, failing_since)
       values ($1, $2, $3, case when $3::text is not null then now() end)
       on conflict (name, endpoint) do update
         set asked_at = now(), fault = excluded.fault,
             failing_since = case when excluded.fault is not null
                                  then coalesce(known.failing_since, now()) end`,
      [facilitator, endpoint, fault],
    );
  }
}

const KNOWN = { failing: column.boolean, same: column.boolean };

const keyOf = ({ facilitator, endpoint }: FacilitatorAnswer) => `${facilitator} ${endpoint}`;

const STATE = {
  name: column.text,
  endpoint: oneOf<Endpoint>(),
  asked_at: column.time,
  fault: nullable(column.text),
  failing_since: nullable(column.time),
  failing_seconds: column.float,
};

/** The facilitators of the settings in their order, with what was recorded of each. */
export async function facilitatorStates(db: Database, x402: X402Settings) {
  const configured = x402?.facilitators ?? [];
  if (configured.length === 0) return [];
  const states = await rows(
    db,
    STATE,
    `select name, endpoint, asked_at, fault, failing_since,
            coalesce(extract(epoch from now() - failing_since), 0)::float8 as failing_seconds
       from x402_facilitator
      where name = any ($1) and asked_at > now() - ${HEARD_WITHIN}
      order by failing_since, endpoint`,
    [configured.map(({ name }) => name)],
  );
  return configured.map(({ name, access }) => {
    const known = states.filter((one) => one.name === name);
    return {
      name,
      access: access.kind,
      askedAt: known.map(({ asked_at }) => asked_at).toSorted((a, b) => +b - +a)[0],
      faults: known.filter(({ fault }) => fault !== null),
      failingSeconds: Math.max(0, ...known.map(({ failing_seconds }) => failing_seconds)),
    };
  });
}
