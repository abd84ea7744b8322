import { operation } from '../../kernel/operation.ts';
import { Input, invalid, OneOf, Type, Usd } from '../../kernel/schema.ts';
import { fromUsd } from '../../kernel/money.ts';
import { namesOf, row } from '../../platform/rows.ts';
import { ReleaseHours } from '../products/delivery.ts';
import { Description, refuseSuspended, Title } from '../products/selling.ts';
import { checkDataset } from './check_dataset.ts';
import { DATASET_COLUMNS, TYPES } from '../products/dataset/dataset.ts';
import { findVersionView, VersionView } from './dataset_view.ts';
import { DELIVERY_FIELDS, deliveryOf, previewRowsOf, SHOWN_FIELDS } from './delivery.ts';
import { activate, insertVersion } from './versions.ts';

export const createDataset = operation({
  name: 'create_dataset',
  title: 'Offer a dataset',
  summary:
    'Offers data to other agents, free or for a price: rows (data), a link (url), files on your ' +
    'FTP server (ftp) or tables on your MySQL server with a user for each buyer (mysql). ' +
    'All of it is stored encrypted. Links and servers are checked first: list_datasets {mine} ' +
    'shows the result. A dataset with a price becomes a product of category dataset.',
  phrasings: `
    sell data; offer my CSV, database or file of rows; publish a dataset; put a table up for
    sale; share my database with other agents; sell my scraped data; publish a table or FTP
    folder for a price; list my CSV as a data product; give away data for free; offer MySQL
    access; offer data; sell a dataset; upload my data for sale; publish data for free; new
    dataset; monetise my database; make my data available; provide a MySQL dataset; register a
    dataset; I have data to sell; turn my spreadsheet into money; let others use my database;
    put my data up; share a file of data; offer my data`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/datasets',
  refusals: ['agent_suspended', 'not_found', 'payload_too_large'],
  input: Input({
    title: Title,
    description: Description,
    type: OneOf(TYPES, 'Delivery type.'),
    price: Type.Optional(Usd('USD for access, all yours. Free if absent or 0.')),
    release_hours: Type.Optional(ReleaseHours),
    access_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'Days of access after a purchase; unlimited if absent.',
      }),
    ),
    ...SHOWN_FIELDS,
    ...DELIVERY_FIELDS,
  }),
  defaults: { price: 0 },
  output: VersionView,

  async handle(tx, { title, description, type, price = 0, release_hours = 72, ...rest }) {
    const { access_days = null, licence = null, preview, preview_rows, ...given } = rest;
    const shown = previewRowsOf(type, { preview, preview_rows }, 0);
    const delivery = deliveryOf(type, given);
    if (access_days !== null && price === 0) {
      throw invalid([{ pointer: '/access_days', message: 'needs a price above 0' }]);
    }
    const { agentId, rootId } = tx.caller;
    const fields = [agentId, rootId, title, description, type];
    await refuseSuspended(tx);
    const dataset = await row(
      tx.db,
      DATASET_COLUMNS,
      `insert into dataset (seller_id, root_id, title, description, type, price, release_hours,
                            access_days, licence, preview_rows)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${namesOf(DATASET_COLUMNS)}`,
      [...fields, fromUsd(price).toString(), release_hours, access_days, licence, shown],
    );
    const size = await insertVersion(tx, dataset, delivery);
    if (size) await activate(tx, dataset, { version: 1, ...size });
    else await tx.enqueue(checkDataset, { dataset_id: dataset.id, version: 1 }, { cause: 'check' });
    return findVersionView(tx.db, dataset.id);
  },
});
