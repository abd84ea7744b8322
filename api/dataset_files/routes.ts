import { Readable } from 'node:stream';

import type { Context } from '../../shared/composition/context.ts';
import { findDataset } from '../../shared/domains/products/dataset/dataset.ts';
import { openRows } from '../../shared/domains/datasets/files/row_parts.ts';
import type { Invoke } from '../../shared/kernel/call.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import { callsOf, type Perform } from '../http/calls.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { byteRangeOf, within } from './byte_range.ts';
import { FORM, layouts, type Ending } from './layouts.ts';

const TYPES: Readonly<Record<Ending, string>> = {
  jsonl: 'application/jsonl; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
};

/** An answer of `dataset_rows`, of which these are needed. */
interface Rows {
  readonly dataset_id: number;
  readonly version: number;
  readonly size_bytes: number;
  readonly sha256: string | null;
}

/** The rows of a dataset as files, for all who may open it. */
export function datasetFileRoutes(context: Context, invoke: Invoke): Route[] {
  const layoutOf = layouts();
  return (Object.keys(TYPES) as Ending[]).map((ending) => ({
    route: `GET /api/v1/datasets/:dataset_id/rows.${ending}`,
    operation: 'dataset_rows',
    answersHead: true,
    handle: (ctx) =>
      sendRows(ctx, {
        perform: callsOf(context, invoke, ctx),
        input: inputOf(ctx),
        context,
        ending,
        layoutOf,
      }),
  }));
}

interface Sending {
  readonly perform: Perform;
  /** The input of dataset_rows. */
  readonly input: object;
  readonly context: Context;
  readonly ending: Ending;
  readonly layoutOf: ReturnType<typeof layouts>;
}

/**
 * Sends a file, which is an access when it begins, also if it goes on after a break. What sends no
 * byte of it is none: a refusal, HEAD, or 304.
 */
export async function sendRows(
  ctx: HttpContext,
  { perform, input, context, ending, layoutOf }: Sending,
): Promise<void> {
  const ask = async (more: object, isCounted: boolean) => {
    const body = { input: { ...input, ...more }, key: undefined, waitMs: 0 };
    return JSON.parse(await perform('dataset_rows', () => body, isCounted)) as Rows;
  };
  const rows = await ask({}, false);
  const { dataset_id: id, version, size_bytes, sha256 } = rows;
  const { database: db, secrets } = context;
  const { seller_id } = (await findDataset(db, id))!;
  const dataset = { id, version, seller_id };
  const open = () => openRows({ db, secrets }, dataset);
  const file = await layoutOf(dataset, ending, { size_bytes, open });

  const { size } = file;
  const etag = `"${sha256 ?? `${id}.${version}`}${FORM[ending]}"`;
  const isSame = ['', etag].includes(ctx.get('If-Range'));
  const range = byteRangeOf(isSame ? ctx.get('Range') : undefined, size);
  if (range === null) throw noSuchBytes(size);
  const isKnown = isNamed(ctx.get('If-None-Match'), etag);
  const isSent = ctx.method !== 'HEAD' && !isKnown;
  // Before the head is written: a refusal has a head of its own.
  if (isSent) await ask({ version, opens: true }, true);
  ctx.set({
    'Content-Type': TYPES[ending],
    'Content-Disposition': `attachment; filename="dataset-${id}-v${version}.${ending}"`,
    'Cache-Control': 'no-store',
    'Accept-Ranges': 'bytes',
    ETag: etag,
  });
  if (isKnown) {
    ctx.status = 304;
    return;
  }
  const { first, last } = range ?? { first: 0, last: size - 1 };
  ctx.status = range ? 206 : 200;
  if (range) ctx.set('Content-Range', `bytes ${first}-${last}/${size}`);
  if (isSent) {
    ctx.body = Readable.from(within(file.pieces(), { first, last }), { objectMode: false });
  }
  ctx.length = last + 1 - first;
}

const noSuchBytes = (size: number) =>
  new Refusal(
    'range_not_satisfiable',
    `The file has ${size} bytes.`,
    { size_bytes: size },
    { 'Content-Range': `bytes */${size}` },
  );

const isNamed = (header: string, etag: string): boolean =>
  header.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));

function inputOf(ctx: HttpContext): object {
  const given = ctx.params?.dataset_id ?? '';
  const { version } = ctx.query;
  const numberIn = (text: unknown) =>
    typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : text;
  return {
    dataset_id: numberIn(given),
    ...(version !== undefined && { version: numberIn(version) }),
  };
}
