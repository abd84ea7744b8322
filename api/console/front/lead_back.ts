import { Refusal } from '../../../shared/kernel/refusal.ts';
import type { Route } from '../../http/routes.ts';
import type { Page } from '../page.ts';

/**
 * Routes for the addresses that forms are sent to. Such an address stays in the browser after a
 * refusal, and is opened again from there by its history or by Enter: it leads to a page.
 */
export function leadBack(routes: readonly Route[], pages: readonly Page[]): Route[] {
  const known = new Set(routes.map(({ route }) => route));
  const paths = routes.flatMap(({ route }) => {
    const [method, path] = route.split(' ') as [string, string];
    return method === 'POST' && !known.has(`GET ${path}`) ? [path] : [];
  });
  return paths.map((path) => ({
    route: `GET ${path}`,
    handle(ctx) {
      if (ctx.accepts('json', 'html') !== 'html') {
        ctx.set('Allow', 'POST, OPTIONS');
        throw new Refusal('method_not_allowed', 'This path does not take this method.', {
          allowed: ['POST'],
        });
      }
      const above = aboveOf(path, known);
      const operation = ctx.params?.operation;
      const page = pages.find(
        ({ does, path: own }) =>
          does.includes(operation ?? '') && !own.includes(':') && own.startsWith(above),
      );
      ctx.status = 303;
      ctx.set('Location', page?.path ?? above);
      ctx.body = null;
    },
  }));
}

/** The nearest page above a path. */
function aboveOf(path: string, known: ReadonlySet<string>): string {
  const above = path.slice(0, path.lastIndexOf('/'));
  if (above === '') return '/';
  return known.has(`GET ${above}`) && !above.includes(':') ? above : aboveOf(above, known);
}
