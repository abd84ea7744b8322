import type { Context } from '../../../composition/context.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import { throttled } from '../../../platform/log.ts';
import { execute } from '../../../platform/rows.ts';

const EVERY_MS = 1_000;
/** Maximum agents noted in a second. Others keep their last note. */
const A_SECOND_MAX = 500;
const MESSAGE_CHARS_MAX = 500;

/** Notes the last refusal of each agent's connections, because SOCKS5 has only numbers for them. */
interface RefusalNotes {
  add(agentId: number, denial: { readonly refusal: Refusal }): void;
  stop(): Promise<void>;
}

export function openRefusalNotes({ database, log, clock }: Context): RefusalNotes {
  const warn = throttled(log);
  const notes = new Map<number, { refusal: Refusal; at: Date }>();

  async function flush(): Promise<void> {
    // In one order, so that two processes do not wait for each other.
    const all = [...notes].toSorted(([a], [b]) => a - b);
    notes.clear();
    if (all.length === 0) return;
    await execute(
      database,
      `insert into proxy_refusal as known (agent_id, code, message, refused_at)
       select * from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[])
       on conflict (agent_id) do update
         set code = excluded.code, message = excluded.message, refused_at = excluded.refused_at
       where known.refused_at <= excluded.refused_at`,
      [
        all.map(([agentId]) => agentId),
        all.map(([, { refusal }]) => refusal.code),
        all.map(([, { refusal }]) => refusal.message.slice(0, MESSAGE_CHARS_MAX)),
        all.map(([, { at }]) => at),
      ],
    ).catch((error: unknown) => warn('refusals of connections could not be noted', error));
  }
  const timer = setInterval(() => void flush(), EVERY_MS);

  return {
    add(agentId, { refusal }) {
      if (notes.has(agentId) || notes.size < A_SECOND_MAX) {
        notes.set(agentId, { refusal, at: clock.now() });
      }
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
