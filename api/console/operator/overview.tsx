import type { AnswerOf } from '../answers.ts';
import { page } from '../page.ts';
import { Card, Empty, Lead, Missing, Table } from '../parts/card.tsx';
import { Badge, plural, When, wordsOf } from '../parts/text.tsx';
import { LogTable } from './log.tsx';
import { SelfCheckTable } from './machine/machine_cards.tsx';

/** The overview: whether the platform is healthy, and what waits for operators. */
export const overview = page({
  path: '/admin',
  title: 'Overview',
  access: 'operator',
  nav: { group: '', icon: 'home', tab: 'Overview', key: 'h' },
  live: ['audit', 'dispute', 'clock'],
  reads: { overview: 'operator_overview' },
  cards: { first: 'first_steps', log: ['list_audit_log', { limit: 6 }] },
  view: ({ overview: seen, first, log }) => (
    <>
      <Lead title="Overview">
        <p>
          <Badge state={seen.state} kind={seen.state === 'healthy' ? 'yours' : 'owed'} />{' '}
          {sentenceOf(seen)}
        </p>
        {first && first.done < first.steps.length && (
          <p>
            <a href="/admin/start">
              First steps: {first.done} of {first.steps.length} are done
            </a>
          </p>
        )}
      </Lead>
      <Card id="decide" title="Decide">
        <Waiting decisions={seen.decisions} />
      </Card>
      <Card id="late" title="Late work">
        <Table
          label="Waiting times"
          rows={seen.late}
          columns={[
            { head: 'Work', cell: ({ what }) => wordsOf(what) },
            { head: 'Waits', right: true, cell: ({ seconds }) => `${seconds} s` },
            { head: 'Alert above', right: true, cell: (one) => `${one.seconds_max} s` },
            {
              head: 'State',
              cell: (one) =>
                one.seconds > one.seconds_max ? <Badge state="late" kind="owed" /> : 'ok',
            },
          ]}
        />
        <p>
          {seen.faults === 0 && seen.held_jobs === 0
            ? 'Timers processed every row that was due, and no job was given up.'
            : `${plural(seen.faults, 'row')} could not be processed by a timer, and ` +
              `${plural(seen.held_jobs, 'job')} given up.`}{' '}
          <a href="/admin/jobs">Queues</a>
        </p>
      </Card>
      <Card id="checks" title="Self-checks">
        <SelfCheckTable checks={seen.self_checks} />
      </Card>
      <Card id="log" title="Operator actions">
        {log ? <LogTable entries={log.entries} /> : <Missing />}
      </Card>
    </>
  ),
});

type Overview = AnswerOf<'operator_overview'>;

function sentenceOf({ decisions, calls_per_minute, p50_ms, p99_ms }: Overview): string {
  const waiting = decisions.reduce((sum, { count }) => sum + count, 0);
  const pace =
    p50_ms === null || p99_ms === null
      ? 'No call of an agent has ended in five minutes.'
      : `${plural(calls_per_minute, 'call')} of agents a minute, half of them answered within ` +
        `${Math.round(p50_ms)} ms and all but one in a hundred within ${Math.round(p99_ms)} ms.`;
  return `${waiting === 0 ? 'Nothing' : plural(waiting, 'thing')} to decide. ${pace}`;
}

function Waiting({ decisions }: Pick<Overview, 'decisions'>) {
  const open = decisions.filter(({ count }) => count > 0);
  if (open.length === 0) {
    return (
      <Empty>Nothing waits for a decision. Reviews, disputes and withdrawals appear here.</Empty>
    );
  }
  return (
    <ul class="rows">
      {open.map(({ kind, count, oldest_at }) => (
        <li>
          <a href={`/admin/decisions?kind=${kind}`}>{wordsOf(kind)}</a>
          <span class="end">
            {count}
            {oldest_at && (
              <>
                , the oldest since <When at={oldest_at} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
