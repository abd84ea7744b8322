import type { Domain } from './domain.ts';

interface Seen {
  readonly sequence: number;
  readonly type: string;
  readonly object: { readonly kind: string; readonly id: number; readonly status: string };
}

/** Buyers follow their events by the cursor: each comes once, in order, and none is left out. */
export const events: Domain = {
  by: 'buyers',
  open(trader) {
    const { agent, client, random, wrong } = trader;
    const seen: string[] = [];
    let cursor: string | undefined;

    async function follow(): Promise<void> {
      const input = { limit: 1 + random.below(20), ...(cursor !== undefined && { cursor }) };
      const answer = await client({ agent, operation: 'list_events', input, repeatable: true });
      if (answer?.status !== 200) return wrong(`listing events was refused: ${answer?.text}`);
      for (const event of answer.body.events as Seen[]) seen.push(textOf(event));
      cursor = answer.body.next_cursor;
    }

    return {
      steps: [{ weight: 2, run: follow }],
      async compare({ database, same }) {
        if (cursor === undefined) return;
        const rows: { text: string; deleted: boolean }[] = await database.query(
          `select id || ' ' || type || ' ' || object_kind || ' ' || object_id || ' ' || status
                  as text, id in (select id from drill.event) as deleted
             from drill.all_event where root_id = $1 and id <= $2 order by id`,
          [agent.id, Buffer.from(cursor, 'base64url').toString()],
        );
        // An event that was made old, and deleted, may not have been seen before.
        const known = new Set(seen);
        const found = rows.filter(({ text, deleted }) => !deleted || known.has(text));
        same('followed events', `the events of agent ${agent.id}`, {
          found: found.map(({ text }) => text),
          told: seen,
        });
      },
    };
  },
};

const textOf = ({ sequence, type, object: { kind, id, status } }: Seen): string =>
  `${sequence} ${type} ${kind} ${id} ${status}`;
