import { page } from '../../page.ts';
import { Card, Lead } from '../../parts/card.tsx';
import { Badge, plural } from '../../parts/text.tsx';
import { Day, Processes, QueueTable, Schedules, SelfCheckTable } from './machine_cards.tsx';

/** The machine: what runs, where work waits, and how the last day was. */
export const machine = page({
  path: '/admin/machine',
  title: 'Machine',
  access: 'operator',
  nav: { group: '', icon: 'pulse', key: 'p' },
  live: ['clock'],
  reads: { machine: 'operator_machine' },
  view: ({ machine: { processes, queues, schedules, self_checks, day } }) => {
    const silent = processes.filter(({ state }) => state === 'silent').length;
    const failed = self_checks.filter(({ status }) => status !== 'ok').length;
    return (
      <>
        <Lead title="Machine">
          <p>
            {processesOf(processes.length - silent)} running
            {silent > 0 && (
              <>
                , <Badge state={`${silent} silent`} kind="owed" />
              </>
            )}
            .{' '}
            {failed === 0
              ? 'All self-checks pass.'
              : `${plural(failed, 'self-check')} found something.`}
          </p>
        </Lead>
        <Card id="processes" title="Processes">
          <Processes processes={processes} />
        </Card>
        <Card id="day" title="The last 24 hours">
          <Day day={day} />
        </Card>
        <Card
          id="queues"
          title="Queues"
          aside={
            <a class="link" href="/admin/jobs">
              By operation
            </a>
          }
        >
          <QueueTable queues={queues} />
        </Card>
        <Card id="schedules" title="Timers">
          <Schedules schedules={schedules} />
        </Card>
        <Card id="checks" title="Self-checks">
          <SelfCheckTable checks={self_checks} />
        </Card>
      </>
    );
  },
});

const processesOf = (count: number) => `${count} ${count === 1 ? 'process' : 'processes'}`;
