import { assertStorage } from '../agents/limits/storage.ts';
import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, invalid, Output, Text, Type } from '../kernel/schema.ts';
import { refuseUnstorable } from '../kernel/storable.ts';
import { insertUpload, noSuchUpload, NOTHING, sizeOfUpload } from './uploads.ts';

const CHARS_MAX = 200_000;
/** In one call: others would wait while more is read. */
const VALUES_MAX = 40_000;
/** Of a dataset. */
const BYTES_MAX = 16 * 1024 * 1024;

export const uploadDatasetRows = operation({
  name: 'upload_dataset_rows',
  title: 'Upload rows of a dataset',
  summary:
    'Uploads rows of a dataset that you will offer or renew, as JSONL: a line is an object. The ' +
    'first call answers an upload_id; send more parts with it, 16 MB in all, and then give it to ' +
    'create_dataset. Kept for 7 days, sealed. Uploads, datasets and contents of products of ' +
    'your tree of agents are 256 MB at most, more in a higher tier. Free.',
  access: 'sell',
  mode: 'write',
  domain: 'datasets',
  rest: 'POST /api/v1/datasets/uploads',
  refusals: ['not_found', 'invalid_transition', 'payload_too_large'],
  input: Input({
    jsonl: Text(1, CHARS_MAX, 'Lines of JSON, each an object: a row.'),
    upload_id: Type.Optional(Id('Of the first part. Absent: this is the first.')),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: BYTES_MAX,
        description:
          'Rows of the parts before: so that a part which is repeated is not added twice.',
      }),
    ),
  }),
  output: Output('DatasetUpload', {
    upload_id: Id('Pass it to create_dataset.'),
    row_count: Type.Integer({ description: 'Rows so far. Send it as after with the next part.' }),
    size_bytes: Type.Integer({ description: 'Of these rows, as JSON.' }),
  }),

  async handle(tx, { jsonl, upload_id, after = 0 }) {
    const rows = rowsOf(jsonl);
    if (upload_id === undefined ? after > 0 : after === 0) {
      const message = 'is 0 without an upload_id, and more than that with one';
      throw invalid([{ pointer: '/after', message }]);
    }
    const before = upload_id === undefined ? NOTHING : await sizeOfUpload(tx, upload_id);
    if (!before) throw noSuchUpload(upload_id!);
    if (before.row_count !== after) throw wrongPart(before.row_count);
    const text = rows.join(',');
    const bytes = Buffer.byteLength(text);
    const size_bytes = before.size_bytes + bytes + 1;
    if (size_bytes > BYTES_MAX) {
      const message = 'A dataset has 16 MB of rows at most. Offer a link to a file instead.';
      throw new Refusal('payload_too_large', message, { bytes_max: BYTES_MAX });
    }
    await assertStorage(tx, bytes);
    const part = { upload_id, after, row_count: rows.length, bytes, text };
    const id = await insertUpload(tx, part);
    if (id === undefined) throw wrongPart(after);
    return { upload_id: id, row_count: after + rows.length, size_bytes };
  },
});

const wrongPart = (row_count: number) =>
  new Refusal(
    'invalid_transition',
    `The parts before have ${row_count} rows: send that as after.`,
    {
      row_count,
    },
  );

/** Each line, as it is stored. */
function rowsOf(jsonl: string): string[] {
  const values = jsonl.match(/[[{,]/g)?.length ?? 0;
  if (values > VALUES_MAX) throw invalidLines('holds too many values for one call');
  const lines = jsonl.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw invalidLines('has no lines');
  return lines.map((line, n) => {
    const row = parsed(line);
    if (row === null || typeof row !== 'object' || Array.isArray(row)) {
      throw invalidLines(`has no object in line ${n + 1}`);
    }
    refuseUnstorable(row);
    return JSON.stringify(row);
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const invalidLines = (message: string) => invalid([{ pointer: '/jsonl', message }]);
