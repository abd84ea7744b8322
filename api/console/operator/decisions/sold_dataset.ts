import type { HttpContext, Route } from '../../../http/routes.ts';
import { Refusal } from '../../../../shared/kernel/refusal.ts';
import { callerOf, type Console } from '../../render.tsx';
import { currentSession } from '../../session/current.ts';

/** The path of what a disputed order bought of a dataset. */
export const soldDatasetOf = (orderId: number | string): string =>
  `/admin/disputes/order/${orderId}/dataset`;

/** The route of what a disputed order bought, as a file of JSON. The audit log records it. */
export const soldDatasetRoutes = (console: Console): Route[] => [
  { route: `GET ${soldDatasetOf(':id')}`, handle: (ctx) => show(console, ctx) },
];

async function show(console: Console, ctx: HttpContext): Promise<void> {
  const session = await currentSession(console.context, ctx, 'operator', { isPerson: true });
  if (!session) throw new Refusal('authentication_required', 'Sign in first.');
  const id = ctx.params?.id ?? '';
  const { cursor } = ctx.query;
  const input = {
    order_id: /^\d{1,10}$/.test(id) ? Number(id) : id,
    ...(typeof cursor === 'string' && { cursor }),
  };
  const body = { input, key: undefined, waitMs: 0 };
  const answer = await callerOf(console, ctx, session)('disputed_dataset', body, false);
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.set('Content-Disposition', `attachment; filename="order-${id}-dataset.json"`);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = answer.body;
}
