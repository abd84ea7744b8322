import type { Sabotage } from './sabotage.ts';

const NEWEST = 'each dataset delivers its newest version that passed its check';
const HELD = 'a dataset holds what it delivers, what is being checked and what was replaced lately';
const KEPT = 'what each open order bought of a dataset is kept, with the hash of the order';
const BOUGHT = 'each open order of a dataset, and no other, has a version that is kept for it';
const SOLD = 'each dataset that is sold is a product of its seller';
const USERS = 'each user of a dataset is of an order of it, or of one that need not be bought';
const LEFT = 'no user of a refunded order is left to be used';
const SERVED = 'no timer pays for a dataset whose buyer asked for access and has none yet';
const OPENED = 'each dataset was opened by its tree, by its buyers after they paid, or was free';

/** `:dataset` is for sale, and was bought and opened by `:buyer`; it is at version 2. */
export const DATASET_SABOTAGES: readonly Sabotage[] = [
  {
    proof: NEWEST,
    what: 'the one before',
    sql: 'update dataset set version = 1 where id = :dataset',
    also: [HELD],
  },
  {
    proof: NEWEST,
    what: 'one that did not pass',
    sql: `update dataset_version set status = 'failed', fault = 'It is empty.'
           where dataset_id = :dataset and version = 2`,
  },
  {
    proof: HELD,
    what: 'nothing',
    sql: 'delete from dataset_part where dataset_id = :dataset and version = 2',
  },
  {
    proof: HELD,
    what: 'the one before for ever',
    sql: `update dataset_version set superseded_at = null
           where dataset_id = :dataset and version = 1`,
  },
  {
    proof: KEPT,
    what: 'nothing',
    sql: 'delete from dataset_part where dataset_id = :dataset and version = 1',
  },
  {
    proof: KEPT,
    what: 'other rows',
    sql: `update dataset_part set sha256 = repeat('0', 64)
           where dataset_id = :dataset and version = 1`,
  },
  {
    proof: KEPT,
    what: 'the last part only',
    sql: 'update dataset_part set part = 1 where dataset_id = :dataset and version = 1',
  },
  {
    proof: BOUGHT,
    what: 'none',
    sql: 'delete from dataset_sale where dataset_id = :dataset',
  },
  {
    proof: BOUGHT,
    what: 'one of a deal that is not final',
    sql: 'update dataset_sale set is_open = false where dataset_id = :dataset',
  },
  {
    proof: SOLD,
    what: 'one of another seller',
    sql: 'update dataset set (seller_id, root_id) = (:other, :other) where id = :dataset',
  },
  {
    proof: OPENED,
    what: 'by an agent that did not buy it',
    sql: `insert into opening (agent_id, root_id, object_kind, object_id, first, request_id)
          values (:other, :other, 'dataset', :dataset, false, 'test')`,
  },
  {
    proof: OPENED,
    what: 'by a buyer that may give it back unseen',
    sql: `update orders set revealed_at = null
           where product_id = (select product_id from dataset where id = :dataset)`,
  },
  {
    proof: OPENED,
    what: 'by a buyer that opened its order only then',
    sql: `update opening set id = default where object_kind = 'order' and object_id in (
            select orders.id from orders join dataset using (product_id)
             where dataset.id = :dataset)`,
  },
  {
    proof: USERS,
    what: 'one of an order of another thing',
    sql: `insert into dataset_grant (dataset_id, agent_id, root_id, order_id, username, password)
          values (:dataset, :buyer, :buyer, :open, 'any', '')`,
  },
  {
    proof: USERS,
    what: 'one of an agent that did not buy it',
    sql: `insert into dataset_grant (dataset_id, agent_id, root_id, username, password)
          values (:dataset, :other, :other, 'any', '')`,
  },
  {
    proof: SERVED,
    what: 'one waits that did not ask',
    sql: `insert into order_access (order_id, buyer_id, seller_id, amount, access_by, failed)
          values (:open, :buyer, :seller, 1, now(), false)`,
  },
  {
    proof: LEFT,
    what: 'one that may log in still',
    sql: `insert into dataset_grant (dataset_id, agent_id, root_id, order_id, username, password)
          values (:dataset, :buyer, :buyer, :refunded, 'any', '')`,
    also: [USERS],
  },
];
