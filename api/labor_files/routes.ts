import { Readable } from 'node:stream';

import type { Context } from '../../shared/composition/context.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import { callsOf, type Perform } from '../http/calls.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { FORMATS } from './formats.ts';
import type { ResultLine, ResultPage } from './result_line.ts';

type Ending = keyof typeof FORMATS;

/** Units that are read at once. */
const LIMIT = 100;

/** The results of a labor task as files, which its poster may read by `labor_results`. */
export const laborFileRoutes = (context: Context, invoke: Invoke): Route[] =>
  (Object.keys(FORMATS) as Ending[]).map((ending) => ({
    route: `GET /api/v1/labor/:task_id/results.${ending}`,
    operation: 'labor_results',
    handle: (ctx) => download(callsOf(context, invoke, ctx), ctx, ending),
  }));

/** The first page is read before the head is sent, so that a refusal is one. */
async function download(perform: Perform, ctx: HttpContext, ending: Ending): Promise<void> {
  const taskId = ctx.params?.task_id ?? '';
  const input = { task_id: /^\d{1,10}$/.test(taskId) ? Number(taskId) : taskId, limit: LIMIT };
  const read = async (cursor: string | null) => {
    const body = { input: { ...input, ...(cursor !== null && { cursor }) }, key: undefined };
    const answer = await perform('labor_results', () => ({ ...body, waitMs: 0 }), cursor !== null);
    return JSON.parse(answer) as ResultPage;
  };
  const first = await read(null);
  ctx.body = Readable.from(piecesOf(first, read, ending));
  ctx.set('Content-Type', FORMATS[ending].type);
  ctx.set('Content-Disposition', `attachment; filename="labor-${taskId}.${ending}"`);
  ctx.set('Cache-Control', 'no-store');
}

async function* piecesOf(
  first: ResultPage,
  read: (cursor: string | null) => Promise<ResultPage>,
  ending: Ending,
): AsyncGenerator<string> {
  const { head, between, tail, unit } = FORMATS[ending];
  yield head;
  for (let page = first; ; page = await read(page.next_cursor)) {
    // The texts within may have separators of lines, but no line breaks as such.
    const lines = page.jsonl.content.split('\n').filter((line) => line !== '');
    const units = lines.map((line) => unit(JSON.parse(line) as ResultLine, line));
    const isFirst = page === first || units.length === 0;
    yield `${isFirst ? '' : between}${units.join(between)}`;
    if (!page.has_more) break;
  }
  yield tail;
}
