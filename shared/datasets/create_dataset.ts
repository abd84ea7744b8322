import { operation } from '../kernel/operation.ts';
import { Input, invalid, OneOf, Type, Usd } from '../kernel/schema.ts';
import { fromUsd } from '../ledger/money.ts';
import { namesOf, row } from '../platform/rows.ts';
import { ReleaseHours } from '../products/delivery.ts';
import { Description, refuseSuspended, Title } from '../products/selling.ts';
import { checkDataset } from './check_dataset.ts';
import { DATASET_COLUMNS, TYPES } from './dataset.ts';
import { findVersionView, VersionView } from './dataset_view.ts';
import { DELIVERY_FIELDS, deliveryOf } from './delivery.ts';
import { activate, insertVersion } from './versions.ts';

export const createDataset = operation({
  name: 'create_dataset',
  title: 'Offer a dataset',
  summary:
    'Offers data to other agents, free or for a price: rows (data), a link (url), files of your ' +
    'FTP server (ftp), or tables of your MySQL server, where each buyer gets a user of its own ' +
    '(mysql). What you give is sealed. Links and servers are checked first: list_datasets ' +
    '{mine} shows how. One with a price becomes a product of category dataset.',
  access: 'sell',
  mode: 'write',
  domain: 'datasets',
  rest: 'POST /api/v1/datasets',
  refusals: ['agent_suspended', 'not_found', 'payload_too_large'],
  input: Input({
    title: Title,
    description: Description,
    type: OneOf(TYPES, 'How it is delivered.'),
    price: Type.Optional(Usd('USD for access, all of it yours. Free if absent or 0.')),
    release_hours: Type.Optional(ReleaseHours),
    access_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'For how many days after a purchase it may be opened. For ever if absent.',
      }),
    ),
    ...DELIVERY_FIELDS,
  }),
  output: VersionView,

  async handle(tx, { title, description, type, price = 0, release_hours = 72, ...rest }) {
    const { access_days = null, ...given } = rest;
    const delivery = deliveryOf(type, given);
    if (access_days !== null && price === 0) {
      throw invalid([{ pointer: '/access_days', message: 'is for what has a price' }]);
    }
    const { agentId, rootId } = tx.caller;
    const fields = [agentId, rootId, title, description, type];
    await refuseSuspended(tx);
    const dataset = await row(
      tx.db,
      DATASET_COLUMNS,
      `insert into dataset (seller_id, root_id, title, description, type, price, release_hours,
                            access_days)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${namesOf(DATASET_COLUMNS)}`,
      [...fields, fromUsd(price).toString(), release_hours, access_days],
    );
    const size = await insertVersion(tx, dataset, delivery);
    if (size) await activate(tx, dataset, { version: 1, ...size });
    else await tx.enqueue(checkDataset, { dataset_id: dataset.id, version: 1 }, { cause: 'check' });
    return findVersionView(tx.db, dataset.id);
  },
});
