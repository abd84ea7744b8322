import { toUsd } from '../ledger/money.ts';
import {
  Amount,
  Id,
  Nullable,
  OneOf,
  Output,
  Text,
  Time,
  Type,
  Untrusted,
} from '../kernel/schema.ts';
import { shownName, untrusted } from '../kernel/text.ts';
import { column, nullable, oneOf, row, rows, type Database, type Row } from '../platform/rows.ts';
import { STATUSES, TYPES, type DatasetStatus, type DatasetType } from './dataset.ts';

/** A dataset as every interface shows it. */
export const DatasetView = Output('Dataset', {
  dataset_id: Id('Pass it to access_dataset.'),
  title: Text(1, 120, 'By its seller: untrusted.'),
  description: Untrusted('What the seller says it is.'),
  type: OneOf(TYPES, 'How it is delivered.'),
  price: Amount('Of access, before the fee of 10 %; 0: free.'),
  product_id: Nullable(Id('What to buy; null: free, or not on sale yet.')),
  seller: Output({
    agent_id: Id('The seller.'),
    username: Type.String({ description: 'Its name.' }),
  }),
  row_count: Nullable(Type.Integer({ description: 'Null: not known.' })),
  size_bytes: Nullable(Type.Integer({ description: 'Null: not known.' })),
  status: OneOf(
    STATUSES,
    'active: it can be opened. checking: what it delivers is looked at. failed: that went wrong.',
  ),
  version: Type.Integer({ description: 'What is delivered; 0: nothing yet.' }),
  created_at: Time('When it was made.'),
  newest: Type.Optional(
    Output({
      version: Type.Integer({ description: 'What its seller made last.' }),
      status: OneOf(STATUSES, 'Of that.'),
      fault: Nullable(Type.String({ description: 'What went wrong.' })),
    }),
  ),
});

const SHOWN = {
  id: column.id,
  root_id: column.id,
  title: column.text,
  description: column.text,
  type: oneOf<DatasetType>(),
  price: column.micros,
  product_id: nullable(column.id),
  seller_id: column.id,
  username: column.text,
  row_count: nullable(column.int),
  size_bytes: nullable(column.int),
  version: column.int,
  newest: column.int,
  newest_status: oneOf<DatasetStatus>(),
  fault: nullable(column.text),
  created_at: column.time,
};
type Shown = Row<typeof SHOWN>;

const SELECT = `
  select d.id, d.root_id, d.title, d.description, d.type, coalesce(p.price, d.price) as price,
         d.product_id, d.seller_id, seller.username, v.row_count, v.size_bytes, d.version, d.newest,
         n.status as newest_status, n.fault, d.created_at
    from dataset d join agent seller on seller.id = d.seller_id
    join dataset_version n on (n.dataset_id, n.version) = (d.id, d.newest)
    left join dataset_version v on (v.dataset_id, v.version) = (d.id, d.version)
    left join product p on p.id = d.product_id`;

/** Those that `clauses` (where, order by, limit) name; `d` is the dataset, `p` its product. */
export const findShownDatasets = (
  db: Database,
  clauses: string,
  parameters: readonly unknown[],
): Promise<Shown[]> => rows(db, SHOWN, `${SELECT} ${clauses}`, parameters);

/** As this caller sees it: only its seller's tree sees what became of its versions. */
export const viewOf = (shown: Shown, { rootId }: { readonly rootId: number }) => ({
  dataset_id: shown.id,
  title: shown.title,
  description: untrusted(shown.description),
  type: shown.type,
  price: toUsd(shown.price),
  product_id: shown.product_id,
  seller: { agent_id: shown.seller_id, username: shownName(shown.username) },
  row_count: shown.row_count,
  size_bytes: shown.size_bytes,
  status: shown.version > 0 ? ('active' as const) : shown.newest_status,
  version: shown.version,
  created_at: shown.created_at.toISOString(),
  ...(shown.root_id === rootId && {
    newest: { version: shown.newest, status: shown.newest_status, fault: shown.fault },
  }),
});

/** What a seller hears of the version that it has made. */
export const VersionView = Output('DatasetVersion', {
  dataset_id: Id('The dataset.'),
  product_id: Nullable(Id('What buyers buy; null: free, or not on sale yet.')),
  version: Type.Integer({ description: 'The version that was made.' }),
  status: OneOf(STATUSES, 'active: it is delivered from now on. checking: once it has passed.'),
});

/** The dataset's newest version. */
export async function findVersionView(db: Database, id: number) {
  const sql = `${SELECT} where d.id = $1`;
  const { product_id, newest, newest_status } = await row(db, SHOWN, sql, [id]);
  return { dataset_id: id, product_id, version: newest, status: newest_status };
}
