import { BODY_BYTES_MAX, readFormBytes } from '../../http/request.ts';
import type { HttpContext } from '../../http/routes.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { refuseUnstorable } from '../../../shared/kernel/storable.ts';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import type { PageAccess } from '../page.ts';
import type { FormFields } from '../page_state.ts';

const FORM = 'application/x-www-form-urlencoded';

/** The fields of a form that was sent, each with all its values. Refuses what `assertForm` does. */
export async function readForm(ctx: HttpContext): Promise<FormFields> {
  const given = await readFields(ctx);
  assertForm(given, undefined);
  return given;
}

/** The fields of a form as they were sent, for a page that shows them again if it is refused. */
export async function readFields(ctx: HttpContext): Promise<FormFields> {
  if (!ctx.req.headers['content-type']?.toLowerCase().startsWith(FORM)) {
    throw new Refusal('bad_request', `The form must be sent as ${FORM}.`);
  }
  const text = (await readFormBytes({ req: ctx.req, state: ctx.state })).toString('utf8');
  const fields = new URLSearchParams(text);
  const names = [...new Set(fields.keys())];
  return Object.fromEntries(names.map((name) => [name, fields.getAll(name)]));
}

/**
 * Refuses a form that was filled in under another account than that of the session, characters that
 * cannot be stored, and more text than a call by JSON may have.
 */
export function assertForm(given: FormFields, session: WebSession | undefined): void {
  if (session && isOfAnother(given, session)) {
    throw new Refusal('forbidden', `Nothing was done. ${otherAccount(session)} ${LOOK}`);
  }
  const texts = Object.entries(given).map(([name, values]) => [name, values.join('\n')] as const);
  refuseUnstorable(Object.fromEntries(texts));
  const bytes = texts.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0);
  if (bytes > BODY_BYTES_MAX) {
    throw new Refusal('payload_too_large', TOO_LONG, { bytes_max: BODY_BYTES_MAX });
  }
}

/** Whether the form names another account. A page from before this rule names none. */
export function isOfAnother({ _account = [] }: FormFields, { name }: WebSession): boolean {
  return _account.some((account) => account !== '' && account !== name);
}

export const otherAccount = ({ name }: WebSession): string =>
  `This form was filled in under another account, and now you are signed in as ${name}.`;

export const LOOK = 'If this account is to do it, look at the form and send it again.';
const TOO_LONG = 'Nothing was done. This is too long to be taken at once. Shorten it.';

/**
 * The value of a field that is sent once. Refuses two that differ: nobody knows which one is meant.
 * Only a box is sent twice by our pages: unchecked, and then checked.
 */
export function oneOf(given: FormFields, name: string): string {
  const [first, ...others] = given[name] ?? [''];
  const last = others.at(-1) ?? first!;
  const isBox = others.length === 1 && BOXES.has(`${first} ${last}`);
  if (isBox || others.every((other) => other === first)) return last;
  throw invalid([{ pointer: `/${name}`, message: 'was sent twice, with different values' }]);
}

const BOXES = new Set(['false true', 'off on']);

/** The first page of an audience; all of its pages are below it. */
export const baseOf = (access: PageAccess): string =>
  ({ public: '/', owner: '/console', operator: '/admin' })[access];

/** The path, if it is below `base`, else `base`: a form cannot name another place. */
export function pathWithin(base: string, path: string | undefined): string {
  if (!path?.startsWith('/') || /^\/[/\\]/.test(path)) return base;
  const url = new URL(path, 'http://here');
  const isWithin = base === '/' || url.pathname === base || url.pathname.startsWith(`${base}/`);
  return isWithin ? url.pathname + url.search : base;
}
