import { runAgain, timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, jsonOf, rows } from '../../../platform/rows.ts';
import type { NoticeKind } from '../kinds.ts';
import { recordMail } from '../record_mail.ts';
import { findDue, noteEvents } from './note_events.ts';
import type { NoticeData } from './notice_texts.ts';

const MAILS_MAX = 200;

export const mailNotices = timer({
  name: 'mail_notices',
  title: 'Mail notices',
  summary: 'Internal: tells owners by mail what they chose to be told.',
  everyMs: 15_000,
  output: Output({ mailed: Type.Integer({ description: 'Number of mails.' }) }),

  async handle(tx) {
    if (tx.config.mail.mode === 'off') return { mailed: 0 };
    const isFull = await noteEvents(tx.db);
    const due = await findDue(tx.db, MAILS_MAX);
    for (const { agentId, kind } of due) await mailThese(tx, agentId, kind);
    if (isFull || due.length === MAILS_MAX) await runAgain(tx, 'mail_notices');
    return { mailed: due.length };
  },
});

/** Mails all notices of a kind together. An address that is no longer proven gets none. */
async function mailThese(tx: Tx, agentId: number, kind: NoticeKind): Promise<void> {
  const found = await rows(
    tx.db,
    { cause: column.text, data: jsonOf<NoticeData>() },
    `with told as (delete from notice where agent_id = $1 and kind = $2
                   returning cause, data, noted_at)
     select cause, data from told order by noted_at, cause`,
    [agentId, kind],
  );
  const [owner] = await rows(
    tx.db,
    { username: column.text, email: column.text },
    `select a.username, a.email from agent a
       join proven_address p on p.agent_id = a.id and p.address = a.email where a.id = $1`,
    [agentId],
  );
  if (!owner || found.length === 0) return;
  const { username, email: to } = owner;
  const notices = found.map(({ data }) => data);
  const causes = found.map(({ cause }) => cause);
  const key = `notice/${agentId}/${kind}/${tx.key}`;
  await recordMail(tx, { key, agentId, kind, to, data: { username, notices, causes } });
}
