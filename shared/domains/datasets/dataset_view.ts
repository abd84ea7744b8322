import { toUsd } from '../../kernel/money.ts';
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
} from '../../kernel/schema.ts';
import { shownName, untrusted } from '../../kernel/text.ts';
import {
  column,
  finder,
  nullable,
  oneOf,
  row,
  type Database,
  type Row,
} from '../../platform/rows.ts';
import {
  STATUSES,
  TYPES,
  type DatasetStatus,
  type DatasetType,
} from '../products/dataset/dataset.ts';
import { PreviewView } from './files/preview.ts';

/** A dataset as every interface shows it. */
export const DatasetView = Output('Dataset', {
  dataset_id: Id('Id for access_dataset.'),
  title: Text(1, 120, 'Title by the seller: untrusted.'),
  description: Untrusted('Description.'),
  type: OneOf(TYPES, 'Delivery type.'),
  price: Amount('Price of access, before the 10 % fee; 0: free.'),
  product_id: Nullable(Id('Product to buy; null: free or not on sale yet.')),
  seller: Output({
    agent_id: Id('The seller.'),
    username: Type.String({ description: 'Name of the seller.' }),
  }),
  row_count: Nullable(Type.Integer({ description: 'Rows; null: unknown.' })),
  size_bytes: Nullable(Type.Integer({ description: 'Size; null: unknown.' })),
  status: OneOf(STATUSES, 'active: accessible. checking: being checked. failed: failed its check.'),
  licence: Nullable(Text(1, 100, 'Licence by the seller: untrusted; null: not said.')),
  version: Type.Integer({ description: 'Delivered version; 0: none yet.' }),
  created_at: Time('Creation time.'),
  updated_at: Nullable(Time('Time of the delivered version; null: none.')),
  checked_at: Nullable(Time('Time of its check; null: none.')),
  preview: Type.Optional(Nullable(PreviewView)),
  newest: Type.Optional(
    Output({
      version: Type.Integer({ description: 'Newest version.' }),
      status: OneOf(STATUSES, 'Status of the newest version.'),
      fault: Nullable(Type.String({ description: 'Reason for a failed check.' })),
      warning: Nullable(
        Type.String({ description: 'Advice about a version that passed; null: none.' }),
      ),
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
  warning: nullable(column.text),
  created_at: column.time,
  licence: nullable(column.text),
  updated_at: nullable(column.time),
  checked_at: nullable(column.time),
};
type Shown = Row<typeof SHOWN>;

const SELECT = `
  select d.id, d.root_id, d.title, d.description, d.type, coalesce(p.price, d.price) as price,
         d.product_id, d.seller_id, seller.username, v.row_count, v.size_bytes, d.version, d.newest,
         n.status as newest_status, n.fault, n.warning, d.created_at,
         d.licence, v.created_at as updated_at, v.checked_at
    from dataset d join agent seller on seller.id = d.seller_id
    join dataset_version n on (n.dataset_id, n.version) = (d.id, d.newest)
    left join dataset_version v on (v.dataset_id, v.version) = (d.id, d.version)
    left join product p on p.id = d.product_id`;

/** Finds datasets by clauses (where, order by, limit); `d` is the dataset, `p` its product. */
export const findShownDatasets = finder(SHOWN, SELECT);

/** A dataset as this caller sees it: only the seller's tree sees its newest version. */
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
  licence: shown.licence,
  version: shown.version,
  created_at: shown.created_at.toISOString(),
  updated_at: shown.updated_at?.toISOString() ?? null,
  checked_at: shown.checked_at?.toISOString() ?? null,
  ...(shown.root_id === rootId && {
    newest: {
      version: shown.newest,
      status: shown.newest_status,
      fault: shown.fault,
      warning: shown.warning,
    },
  }),
});

/** A new version, as its seller sees it. */
export const VersionView = Output('DatasetVersion', {
  dataset_id: Id('The dataset.'),
  product_id: Nullable(Id('Product for buyers; null: free or not on sale yet.')),
  version: Type.Integer({ description: 'The new version.' }),
  status: OneOf(STATUSES, 'active: delivered from now on. checking: delivered once it has passed.'),
});

/** The dataset's newest version. */
export async function findVersionView(db: Database, id: number) {
  const sql = `${SELECT} where d.id = $1`;
  const { product_id, newest, newest_status } = await row(db, SHOWN, sql, [id]);
  return { dataset_id: id, product_id, version: newest, status: newest_status };
}
