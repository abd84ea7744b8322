import type { HttpContext, Route } from '../../http/routes.ts';
import { countCalls } from '../../../shared/composition/invoke/count_calls.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { PLATFORM } from '../../../shared/kernel/caller.ts';
import { readPage, sendPage, type Console } from '../render.tsx';
import { oneOf, readForm } from '../session/form.ts';
import { CHARS_MAX, receipt, VERIFY_PATH } from './receipt.tsx';

/** The page of a pasted receipt. The form changes nothing, so anybody may send it. */
export function receiptRoute(console: Console): Route {
  return {
    route: `POST ${VERIFY_PATH}`,
    async handle(ctx) {
      await countCalls(console.context, { caller: PLATFORM, address: ctx.state.address });
      const query = { receipt: await pastedIn(ctx) };
      const asked = { params: {}, query, agentId: undefined };
      const request = { page: receipt, asked, url: VERIFY_PATH, session: undefined };
      sendPage(console, ctx, request, await readPage(console, ctx, request));
    },
  };
}

/** The pasted text; of one that is too long to be read, as much as shows that. */
async function pastedIn(ctx: HttpContext): Promise<string> {
  try {
    return oneOf(await readForm(ctx), 'receipt');
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'payload_too_large') throw error;
    return ' '.repeat(CHARS_MAX + 1);
  }
}
