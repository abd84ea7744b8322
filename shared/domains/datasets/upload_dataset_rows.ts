import { assertStorage } from '../agents/limits/storage.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Output, Text, Type } from '../../kernel/schema.ts';
import { NO_JSON, readJsonText, withoutMark } from '../../kernel/reading/json_text.ts';
import { unkeptIn } from '../../kernel/reading/unkept.ts';
import { refuseUnstorable } from '../../kernel/storable.ts';
import { insertUpload, noSuchUpload, NOTHING, sizeOfUpload } from './uploads.ts';

const CHARS_MAX = 200_000;
/** Maximum values of one call: parsing more would make other calls wait. */
const VALUES_MAX = 40_000;
/** Maximum bytes of a dataset. */
const BYTES_MAX = 16 * 1024 * 1024;

export const uploadDatasetRows = operation({
  name: 'upload_dataset_rows',
  title: 'Upload rows of a dataset',
  summary:
    'Uploads rows of a dataset that you will offer or renew, as JSONL: one object per line. The ' +
    'first call returns an upload_id; send more parts with it, 16 MB in all, then pass it to ' +
    'create_dataset. Kept for 7 days, encrypted. Uploads, datasets and product contents of your ' +
    'tree of agents are limited to 256 MB, more in a higher tier. Free.',
  phrasings: `
    add rows to a dataset of mine; upload data in parts; append JSON lines to my dataset; large
    JSONL in parts; stage rows before publishing data; send a big file of records in chunks;
    upload rows; add data to my dataset; import records; load JSONL; send my rows in parts;
    insert rows; here are the rows; push my records; put lines into my dataset; bring my data
    in; upload a JSONL file`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/datasets/uploads',
  refusals: ['not_found', 'invalid_transition', 'payload_too_large'],
  input: Input({
    jsonl: Text(1, CHARS_MAX, 'Rows, one JSON object per line.'),
    upload_id: Type.Optional(Id('The upload to continue; absent in the first call.')),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: BYTES_MAX,
        description: 'Rows uploaded so far, so that a repeated part is not added twice.',
      }),
    ),
  }),
  output: Output('DatasetUpload', {
    upload_id: Id('Id for create_dataset.'),
    row_count: Type.Integer({ description: 'Rows so far; send it as after with the next part.' }),
    size_bytes: Type.Integer({ description: 'Size of the rows as JSON.' }),
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
      const message = 'A dataset has at most 16 MB of rows. Offer a link to a file instead.';
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
  new Refusal('invalid_transition', `after must be ${row_count}, the rows uploaded so far.`, {
    row_count,
  });

/** The rows, one a line, as they are stored. */
function rowsOf(jsonl: string): string[] {
  const values = jsonl.match(/[[{,]/g)?.length ?? 0;
  if (values > VALUES_MAX) throw invalidLines('holds too many values for one call');
  const lines = withoutMark(jsonl)
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length === 0) throw invalidLines('has no lines');
  return lines.map((line, n) => {
    const read = readJsonText(line);
    if ('fault' in read && read.fault !== NO_JSON) {
      throw invalidLines(`in line ${n + 1} ${read.fault}`);
    }
    const row = 'value' in read ? read.value : undefined;
    if (row === null || typeof row !== 'object' || Array.isArray(row)) {
      throw invalidLines(`has no object in line ${n + 1}`);
    }
    if (Object.keys(row).length === 0) throw invalidLines(`has an empty object in line ${n + 1}`);
    refuseUnstorable(row);
    const [unkept] = unkeptIn(row);
    if (unkept) {
      const name = unkept.path.join('.').slice(0, 64);
      throw invalidLines(`in line ${n + 1} has ${JSON.stringify(name)}, which ${unkept.message}`);
    }
    return JSON.stringify(row);
  });
}

const invalidLines = (message: string) => invalid([{ pointer: '/jsonl', message }]);
