import type { HttpContext } from '../../http/routes.ts';
import { countCalls } from '../../../shared/composition/invoke/count_calls.ts';
import { PLATFORM } from '../../../shared/kernel/caller.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import type { Page } from '../page.ts';
import type { FormFields } from '../page_state.ts';
import { sendPage, type Console } from '../render.tsx';
import { readForm } from '../session/form.ts';
import { assertSameOrigin } from '../session/guard.ts';
import type { refusedOf } from '../show_again.ts';
import { notePage } from './link_pages.tsx';

/** Counts a request of somebody who is not signed in. */
export const count = ({ context }: Console, { state: { address } }: HttpContext) =>
  countCalls(context, { caller: PLATFORM, address });

/** The fields of a form of our own pages. */
export async function formOf(console: Console, ctx: HttpContext): Promise<FormFields> {
  assertSameOrigin(ctx, console.context.config.api.publicUrl);
  await count(console, ctx);
  return readForm(ctx);
}

export function send(
  console: Console,
  ctx: HttpContext,
  page: Page,
  { refused, status = 200 }: { refused?: ReturnType<typeof refusedOf>; status?: number } = {},
): void {
  const asked = { params: {}, query: {} };
  sendPage(console, ctx, { page, asked, url: page.path, session: undefined, refused }, {}, status);
}

/** Runs `work`. A refusal of its link becomes a page that leads to where others are asked for. */
export async function withLink(
  console: Console,
  ctx: HttpContext,
  { path, to, label }: { readonly path: string; readonly to: string; readonly label: string },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
    const over = { title: 'This link does not work', text: error.message, to, label };
    send(console, ctx, notePage(path, over), { status: error.status });
  }
}
