import { readBytes } from '../../api/http/request.ts';
import type { HttpContext } from '../../api/http/routes.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { refuseUnstorable } from '../../shared/kernel/storable.ts';
import type { PageAccess } from '../page.ts';
import type { Given } from '../shown.ts';

const FORM = 'application/x-www-form-urlencoded';

/** The fields of a form that was sent, each with all its values. Refuses what is not text. */
export async function readForm(ctx: HttpContext): Promise<Given> {
  if (!ctx.req.headers['content-type']?.toLowerCase().startsWith(FORM)) {
    throw new Refusal('bad_request', `A form is sent as ${FORM}.`);
  }
  const text = (await readBytes({ req: ctx.req, state: ctx.state })).toString('utf8');
  const fields = new URLSearchParams(text);
  const names = [...new Set(fields.keys())];
  const given = Object.fromEntries(names.map((name) => [name, fields.getAll(name)]));
  refuseUnstorable(given);
  return given;
}

/** Of a field that is sent once. */
export const oneOf = (given: Given, name: string): string => given[name]?.at(-1) ?? '';

/** The first page of each audience, below which all of its pages are. */
export const baseOf = (access: PageAccess): string =>
  ({ public: '/', owner: '/console', operator: '/admin' })[access];

/** A path of ours below `base`, or `base`: a form cannot name another place. */
export function pathWithin(base: string, path: string | undefined): string {
  if (!path?.startsWith('/') || /^\/[/\\]/.test(path)) return base;
  const url = new URL(path, 'http://here');
  const isWithin = base === '/' || url.pathname === base || url.pathname.startsWith(`${base}/`);
  return isWithin ? url.pathname + url.search : base;
}
