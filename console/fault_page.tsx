import type { HttpContext } from '../api/http/routes.ts';
import type { Refusal } from '../shared/kernel/refusal.ts';
import { page } from './page.ts';
import { sendPage, type Console } from './render.tsx';

/** A page in place of one that was refused or failed: what is known, and the request's id. */
export async function sendFault(
  console: Console,
  ctx: HttpContext,
  { code, message, status }: Refusal,
): Promise<void> {
  const { requestId } = ctx.state;
  const fault = page({
    path: '/fault',
    title: status === 404 ? 'There is no such page' : 'That did not work',
    access: 'public',
    view: () => (
      <section class="card narrow" aria-labelledby="fault">
        <h1 id="fault">{status === 404 ? 'There is no such page' : 'That did not work'}</h1>
        <p>{message}</p>
        <p class="small dim">
          {code}, request <code>{requestId}</code>
        </p>
        <p class="buttons">
          <a class="button main" href={ctx.path.startsWith('/admin') ? '/admin' : '/console'}>
            To the first page
          </a>
        </p>
      </section>
    ),
  });
  const asked = { params: {}, query: {} };
  sendPage(console, ctx, { page: fault, asked, url: ctx.path, session: undefined }, {}, status);
  if (status === 503) ctx.set('Retry-After', '1');
}
