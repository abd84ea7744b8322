import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Id, ID_MAX, Input, Nullable, Output, Text, Type } from '../../../kernel/schema.ts';
import { findRight } from '../access_right.ts';
import { recordAccess } from '../accesses.ts';
import { findRows } from './row_parts.ts';

const ENDINGS = ['jsonl', 'csv', 'parquet'] as const;

export const datasetRows = operation({
  name: 'dataset_rows',
  title: 'Open the rows of a dataset as files',
  summary:
    'Returns the paths of the rows of a dataset as JSONL, CSV and Parquet. Each download is an ' +
    'access, like access_dataset; this call is none. Free.',
  access: 'any',
  mode: 'write',
  rest: 'GET /api/v1/datasets/:dataset_id/rows',
  bindings: { tool: false },
  effects: {
    destructive: true, // The first access ends the right to return the data unseen.
    idempotent: true,
  },
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'rate_limited'],
  input: Input({
    dataset_id: Id('A dataset of type json.'),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: ID_MAX,
        description: 'The version, as in access_dataset.',
      }),
    ),
    opens: Type.Optional(
      Type.Boolean({ description: 'Records an access, as a download does. False if absent.' }),
    ),
  }),
  output: Output('DatasetRows', {
    dataset_id: Id('The dataset.'),
    version: Type.Integer({ description: 'The version that you get.' }),
    current_version: Type.Integer({ description: 'The version that new buyers get.' }),
    row_count: Type.Integer({ description: 'Number of rows.' }),
    size_bytes: Type.Integer({ description: 'Size of the JSONL file.' }),
    sha256: Nullable(
      Type.String({ description: 'SHA-256 of all rows as one JSON list; null: unknown.' }),
    ),
    files: Type.Array(Text(1, 200, 'A path.'), {
      description: 'The files, by ending: jsonl, csv, parquet.',
    }),
  }),

  async handle(tx, { dataset_id, version: asked, opens = false }) {
    const right = await findRight(tx, dataset_id, asked);
    const { dataset, current } = right;
    const { id, version, type } = dataset;
    if (type !== 'json') {
      throw new Refusal(
        'invalid_transition',
        `Dataset ${id} has no rows here: it is delivered as ${type}, by access_dataset.`,
        { type },
        {},
        ['access_dataset'],
      );
    }
    if (opens) await recordAccess(tx, right);
    const { row_count, size_bytes, sha256 } = await findRows(tx.db, dataset);
    const query = version === current ? '' : `?version=${version}`;
    return {
      dataset_id: id,
      version,
      current_version: current,
      row_count,
      // Each line ends with a line feed, where the list has commas between its brackets.
      size_bytes: size_bytes - 1,
      sha256,
      files: ENDINGS.map((ending) => `/api/v1/datasets/${id}/rows.${ending}${query}`),
    };
  },
});
