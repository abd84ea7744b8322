import { page, type PageQuery } from '../page.ts';
import { Badge, When } from '../parts/text.tsx';

export const job = page({
  path: '/console/jobs/:id',
  title: 'In progress',
  access: 'owner',
  live: ['job', 'approval', 'order', 'wallet'],
  reads: { job: ['get_job', ({ params }: PageQuery) => ({ job_id: params.id })] },
  view: ({ job: found }) => (
    <section class="card narrow" aria-labelledby="job">
      {found && (
        <>
          <h1 id="job">{WORDS[found.status] ?? found.status}</h1>
          <p>
            <Badge state={found.status} /> since <When at={found.created_at} />
          </p>
          {found.status === 'pending' && <p>You can leave this page: the job goes on.</p>}
        </>
      )}
      <p class="buttons">
        <a class="button main" href="/console">
          Home
        </a>
      </p>
    </section>
  ),
});

const WORDS: Readonly<Record<string, string>> = {
  pending: 'This is being done',
  complete: 'This is done',
  failed: 'This was refused',
};
