import { sweepTimer } from '../../jobs/timers/timer.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, execute, oneOf, rows } from '../../platform/rows.ts';
import { nextDigestAt, type DigestPeriod } from '../mail/digest_choice.ts';
import type { DigestData } from '../mail/digest_texts.ts';
import { recordMail } from '../mail/record_mail.ts';
import { findDigest } from './digest_facts.ts';

const DAY_MS = 86_400_000;

const DUE = {
  id: column.id,
  every: oneOf<DigestPeriod>(),
  username: column.text,
  email: column.text,
  is_proven: column.boolean,
};

export const mailDigests = sweepTimer({
  name: 'mail_digests',
  title: 'Mail summaries',
  summary: 'Internal: mails owners the summary of a day or a week that they chose.',
  everyMs: 60_000,
  done: ['mailed', 'Summaries that were due.'],
  rowsMax: 100,
  due: { table: 'digest', id: 'agent_id', where: 'next_at <= now()', order: 'next_at' },
  lock: (db, ids) =>
    rows(
      db,
      DUE,
      `select d.agent_id as id, d.every, a.username, a.email,
              exists (select from proven_address p
                       where p.agent_id = a.id and p.address = a.email) as is_proven
         from digest d join agent a on a.id = d.agent_id
        where d.agent_id = any ($1) order by d.agent_id for update of d`,
      [ids],
    ),

  async work(tx, owners) {
    for (const owner of owners) await mailDigest(tx, owner);
  },
});

type Owner = {
  readonly id: number;
  readonly every: DigestPeriod;
  readonly username: string;
  readonly email: string;
  readonly is_proven: boolean;
};

/** Mails the last period alone, however long none was sent. An empty period has no mail. */
async function mailDigest(tx: Tx, { id, every, username, email, is_proven }: Owner): Promise<void> {
  const nextAt = nextDigestAt(every, tx.now);
  await execute(tx.db, 'update digest set next_at = $2 where agent_id = $1', [id, nextAt]);
  if (!is_proven) return;
  const days = every === 'day' ? 1 : 7;
  const to = new Date(nextAt.getTime() - days * DAY_MS);
  to.setUTCHours(0, 0, 0, 0);
  const from = new Date(to.getTime() - days * DAY_MS);
  const digest = await findDigest(tx.db, id, { from, to });
  if (isEmpty(digest)) return;
  const key = `digest/${id}/${every}/${digest.to}`;
  await recordMail(tx, { key, agentId: id, kind: 'digest', to: email, data: { username, digest } });
}

const isEmpty = ({ spent, earned, events, waiting }: DigestData): boolean =>
  spent.count === 0 && earned.count === 0 && waiting === 0 && Object.keys(events).length === 0;
