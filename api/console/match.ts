import type { Refusal } from '../../shared/kernel/refusal.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import type { PageQuery, Page, PageAccess } from './page.ts';
import { baseOf, pathWithin } from './session/form.ts';

/** The page at a path that a form named; if there is none, the first page of the person. */
export function matchPage(
  pages: readonly Page[],
  kind: PageAccess,
  url: string,
): { page: Page; asked: PageQuery; path: string } {
  const base = baseOf(kind);
  const path = pathWithin(base, url);
  const { pathname, searchParams } = new URL(path, 'http://here');
  const query = Object.fromEntries(searchParams);
  const own = pages.filter(({ access }) => access === kind);
  for (const page of own) {
    const params = paramsOf(page.path, pathname);
    if (params) return { page, asked: { params, query }, path };
  }
  return {
    page: own.find((one) => one.path === base)!,
    asked: { params: {}, query: {} },
    path: base,
  };
}

function paramsOf(route: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [route.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [n, part] of wanted.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = given[n]!;
    else if (part !== given[n]) return undefined;
  }
  return params;
}

/** The refusal of an address whose filter has a value that the page does not offer. */
export const invalidFilter = (
  name: string,
  message = 'must be one of those that the page offers',
): Refusal => invalid([{ pointer: `/${name}`, message }]);
