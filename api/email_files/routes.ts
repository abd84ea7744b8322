import { invalid } from '../../shared/kernel/invalid.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/composition/context.ts';
import { keyIn, keysInHeaders } from '../arguments/idempotency_keys.ts';
import { callsOf } from '../http/calls.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { resultsStream, setCsvHeaders } from './results_csv.ts';
import { readSentFile } from './sent_file.ts';
import { uploadParts } from './upload.ts';

/** Files of addresses as files: the whole upload in one request, and the results as CSV. */
export function emailFileRoutes(context: Context, invoke: Invoke): Route[] {
  return [
    {
      route: 'POST /api/v1/email/files/upload',
      operation: 'upload_email_file',
      handle: (ctx) => upload(context, invoke, ctx),
    },
    {
      route: 'GET /api/v1/email/files/:file_id/results.csv',
      operation: 'get_email_results',
      handle: (ctx) => download(context, invoke, ctx),
    },
  ];
}

async function upload(context: Context, invoke: Invoke, ctx: HttpContext): Promise<void> {
  const readFile = async () => {
    const file = await readSentFile(ctx);
    const query = fieldsIn(new URLSearchParams(ctx.querystring));
    const key = keyIn(keysInHeaders(ctx.req.headers), undefined);
    return { ...file, fields: { ...query, ...file.fields }, key };
  };
  ctx.body = await uploadParts(callsOf(context, invoke, ctx), readFile, { isCounted: false });
  ctx.type = 'json';
}

function fieldsIn(query: URLSearchParams): Record<string, string> {
  const twice = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (twice === undefined) return Object.fromEntries(query);
  throw invalid([{ pointer: `/${twice.slice(0, 64)}`, message: 'is there twice: send it once' }]);
}

async function download(context: Context, invoke: Invoke, ctx: HttpContext): Promise<void> {
  const perform = callsOf(context, invoke, ctx);
  const fileId = ctx.params?.file_id ?? '';
  const input = { file_id: /^\d{1,10}$/.test(fileId) ? Number(fileId) : fileId };
  ctx.body = await resultsStream(perform, input, false);
  setCsvHeaders(ctx, fileId);
}
