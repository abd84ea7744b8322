import { page, type PageQuery } from '../page.ts';
import { Do } from '../parts/do.tsx';
import { Fields } from '../parts/fields.tsx';
import { AgentLink } from './agent_link.tsx';
import { Badge, When, wordsOf } from '../parts/text.tsx';

/** One job: its state and its faults. */
export const job = page({
  path: '/admin/jobs/:id',
  title: 'Job',
  access: 'operator',
  reads: { job: ['operator_job', ({ params }: PageQuery) => ({ job_id: params.id })] },
  does: ['retry_job'],
  view: ({ job: found }) => (
    <section class="card" aria-labelledby="job">
      {found && (
        <>
          <h1 id="job">{wordsOf(found.operation)}</h1>
          <p>
            <Badge state={found.state} /> accepted <When at={found.created_at} />
            {found.operator !== null && `, by ${found.operator}`}
            {found.agent_id !== null && found.username !== null && (
              <>
                , by <AgentLink id={found.agent_id} username={found.username} />
              </>
            )}
          </p>
          {found.waits_for && <p>{found.waits_for} Load the page again to see more.</p>}
          {found.fault && <p>Last fault: {found.fault}</p>}
          {found.error_code && <p>Refused: {found.error_code}</p>}
          <p>
            Request <code>{found.request_id}</code>, {found.attempts} attempts after the first.
          </p>
          {found.result !== undefined && (
            <pre tabIndex={0}>
              <code>{JSON.stringify(found.result, null, 2)}</code>
            </pre>
          )}
          {['held', 'failing'].includes(found.state) && (
            <Do op="retry_job" input={{ job_id: found.job_id }} label="Retry it now" main>
              <Fields op="retry_job" only={['note']} />
            </Do>
          )}
        </>
      )}
    </section>
  ),
});
