import { Readable } from 'node:stream';

import type { Template } from '../../shared/domains/labor/templates/template.ts';
import type { Perform } from '../http/calls.ts';
import type { HttpContext } from '../http/routes.ts';
import { FORMATS } from './formats.ts';
import { labelStudioView } from './label_studio_view.ts';
import type { ResultLine, ResultPage } from './result_line.ts';

type Ending = keyof typeof FORMATS;
export const ENDINGS = Object.keys(FORMATS) as Ending[];

/** Units that are read at once. */
const LIMIT = 100;

/**
 * Sends the results of a task as a file. The first page is read before the head is sent, so that a
 * refusal is one. `isCounted`: the rate limit has counted this request before.
 */
export async function sendResults(
  perform: Perform,
  ctx: HttpContext,
  { ending, isCounted }: { ending: Ending; isCounted: boolean },
): Promise<void> {
  const read = readerOf(perform, ctx, LIMIT);
  const first = await read(null, isCounted);
  const template = await templateOf(perform, ctx);
  ctx.body = Readable.from(piecesOf(first, { read, ending, template }));
  setFileHeaders(ctx, FORMATS[ending].type, `labor-${ctx.params?.task_id ?? ''}.${ending}`);
}

/** Sends the labeling interface of Label Studio for the results of a task. */
export async function sendView(
  perform: Perform,
  ctx: HttpContext,
  isCounted: boolean,
): Promise<void> {
  const { jsonl } = await readerOf(perform, ctx, 1)(null, isCounted);
  const [line] = linesOf(jsonl.content);
  const { payload } = JSON.parse(line ?? '{}') as Partial<ResultLine>;
  ctx.body = labelStudioView(await templateOf(perform, ctx), payload);
  setFileHeaders(ctx, 'application/xml; charset=utf-8', 'label-studio.xml');
}

function setFileHeaders(ctx: HttpContext, type: string, name: string): void {
  ctx.set('Content-Type', type);
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.set('Cache-Control', 'no-store');
}

const inputOf = ({ params }: HttpContext) => {
  const taskId = params?.task_id ?? '';
  return { task_id: /^\d{1,10}$/.test(taskId) ? Number(taskId) : taskId };
};

const readerOf =
  (perform: Perform, ctx: HttpContext, limit: number) =>
  async (cursor: string | null, isCounted: boolean) => {
    const input = { ...inputOf(ctx), limit, ...(cursor !== null && { cursor }) };
    const body = { input, key: undefined, waitMs: 0 };
    return JSON.parse(await perform('labor_results', () => body, isCounted)) as ResultPage;
  };

async function templateOf(perform: Perform, ctx: HttpContext): Promise<Template | null> {
  const body = { input: inputOf(ctx), key: undefined, waitMs: 0 };
  const task = JSON.parse(await perform('get_labor_task', () => body, true)) as {
    readonly template: { readonly content: string } | null;
  };
  return task.template && (JSON.parse(task.template.content) as Template);
}

/** The texts within may have separators of lines, but no line breaks as such. */
const linesOf = (jsonl: string) => jsonl.split('\n').filter((line) => line !== '');

interface File {
  readonly read: (cursor: string | null, isCounted: boolean) => Promise<ResultPage>;
  readonly ending: Ending;
  readonly template: Template | null;
}

async function* piecesOf(
  first: ResultPage,
  { read, ending, template }: File,
): AsyncGenerator<string> {
  const { head, between, tail, unit } = FORMATS[ending];
  yield head;
  for (let page = first; ; page = await read(page.next_cursor, true)) {
    const units = linesOf(page.jsonl.content).map((line) =>
      unit(JSON.parse(line) as ResultLine, line, template),
    );
    const isFirst = page === first || units.length === 0;
    yield `${isFirst ? '' : between}${units.join(between)}`;
    if (!page.has_more) break;
  }
  yield tail;
}
