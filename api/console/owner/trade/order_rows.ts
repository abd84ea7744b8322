import { layouts, type Ending } from '../../../dataset_files/layouts.ts';
import { sendRows } from '../../../dataset_files/routes.ts';
import type { Perform } from '../../../http/calls.ts';
import type { HttpContext, Route } from '../../../http/routes.ts';
import { Refusal } from '../../../../shared/kernel/refusal.ts';
import type { AnswerOf } from '../../answers.ts';
import { callerOf, type Console } from '../../render.tsx';
import { currentSession } from '../../session/current.ts';

export const ENDINGS: readonly Ending[] = ['csv', 'jsonl', 'parquet'];

/** The path of the rows that an order bought, as a file. */
export const rowsOf = (orderId: number | string, ending: string): string =>
  `/console/orders/${orderId}/rows.${ending}`;

/** The rows of datasets that owners and their agents bought, as files. */
export function orderRowsRoutes(console: Console): Route[] {
  const layoutOf = layouts();
  return ENDINGS.map((ending) => ({
    route: `GET ${rowsOf(':id', ending)}`,
    handle: (ctx) => download(console, ctx, { ending, layoutOf }),
  }));
}

/** A link is followed without a question, so it is no first opening, which ends a right. */
async function download(
  console: Console,
  ctx: HttpContext,
  { ending, layoutOf }: { ending: Ending; layoutOf: ReturnType<typeof layouts> },
): Promise<void> {
  const { context } = console;
  const session = await currentSession(context, ctx, 'owner', { isPerson: true });
  if (!session) throw new Refusal('authentication_required', 'Sign in first.');
  const call = callerOf(console, ctx, session);
  const perform: Perform = async (name, read, isCounted) =>
    (await call(name, await read(), isCounted)).body;
  const id = ctx.params?.id ?? '';
  const asked = { input: { order_id: /^\d{1,10}$/.test(id) ? Number(id) : id } };
  const read = { ...asked, key: undefined, waitMs: 0 };
  const order = JSON.parse(await perform('get_order', () => read, false)) as AnswerOf<'get_order'>;
  const { dataset, revealed_at } = order;
  if (!dataset) throw new Refusal('not_found', `Order ${id} bought no dataset.`);
  if (revealed_at === null) {
    throw new Refusal('invalid_transition', `Open the vault of order ${id} first.`);
  }
  const input = { dataset_id: dataset.dataset_id };
  await sendRows(ctx, { perform, input, context, ending, layoutOf });
}
