import type { HttpContext } from '../http/routes.ts';
import type { Refusal } from '../../shared/kernel/refusal.ts';
import { page } from './page.ts';
import { sendPage, type Console } from './render.tsx';
import { labelOf } from './words/field_words.ts';
import { sentenceOf, type Problem } from './words/problem_words.ts';

/** Parts of the site with a first page of their own. */
const AREAS = ['/admin', '/market', '/console', '/docs'];

/** Sends a page in place of one that was refused or failed: the message and the request's id. */
export async function sendFault(
  console: Console,
  ctx: HttpContext,
  refusal: Refusal,
): Promise<void> {
  const { requestId } = ctx.state;
  const base = AREAS.find((one) => ctx.path === one || ctx.path.startsWith(`${one}/`)) ?? '/';
  const { title, message, status, to, label } = faultOf(ctx, refusal, base);
  const fault = page({
    path: '/fault',
    title,
    access: 'public',
    view: () => (
      <section class="card narrow" aria-labelledby="fault">
        <h1 id="fault">{title}</h1>
        <p>{message}</p>
        <p class="small dim">
          {refusal.code}, request <code>{requestId}</code>
        </p>
        <p class="buttons">
          <a class="button main" href={to}>
            {label}
          </a>
        </p>
      </section>
    ),
  });
  const asked = { params: {}, query: {} };
  sendPage(console, ctx, { page: fault, asked, url: ctx.path, session: undefined }, {}, status);
  if (status === 503) ctx.set('Retry-After', '1');
}

interface Fault {
  readonly title: string;
  readonly message: string;
  readonly status: number;
  /** The page that helps, and the label of its link. */
  readonly to: string;
  readonly label: string;
}

/** A refusal in words for a person. Problems of an address are told by its parts. */
function faultOf(
  ctx: HttpContext,
  { code, message, status, details }: Refusal,
  base: string,
): Fault {
  const home = { to: base, label: base === '/market' ? 'To the market' : 'To the first page' };
  const { fields = [] } = details as { fields?: readonly Problem[] };
  const isAddress = code === 'validation_error' && ctx.method !== 'POST';
  if (isAddress && ctx.querystring !== '') {
    const said = fields.map(saidOf);
    return {
      title: 'This address does not fit',
      message: `It has a filter that is not valid. ${said.join(' ')}`,
      status,
      to: ctx.path,
      label: 'Open the page',
    };
  }
  if (status === 404 || isAddress) {
    const none = isAddress
      ? 'Its address has a number that cannot be one of a page.'
      : message.replace(/ with this [a-z]+_id\b/, ' with this number');
    return { title: 'There is no such page', message: none, status: 404, ...home };
  }
  if (code === 'payload_too_large' && ctx.method === 'POST') {
    const isOver = /^.(console|admin)$/.test(base) && !ctx.state.tree && !ctx.state.operator;
    return { title: 'This is too long', message: isOver ? SIGNED_OUT : GO_BACK, status, ...home };
  }
  const said = fields.map(saidOf);
  const words = code === 'validation_error' && said.length > 0 ? said.join(' ') : message;
  return { title: 'That did not work', message: words, status, ...home };
}

const saidOf = (field: Problem) =>
  `${labelOf('', field.pointer.slice(1))}: ${sentenceOf('', field)}`;

const GO_BACK = 'Nothing was done. Go back: your browser keeps what you entered. Shorten it.';
/** Without a session little is read, and what was typed cannot come back after signing in. */
const SIGNED_OUT =
  'Nothing was done. You are signed out. Sign in in another tab. Then go back here, where your ' +
  'browser keeps what you entered, and send it again.';
