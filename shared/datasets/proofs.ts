import type { Proof } from '../ledger/proof.ts';

/** That datasets deliver what passed its check, and to whom it was sold. */
export const datasetsProofs: readonly Proof[] = [
  {
    name: 'each dataset delivers its newest version that passed its check',
    sql: `select d.id as dataset_id, d.version, d.newest, made.*
            from dataset d cross join lateral (
              select coalesce(max(version) filter (where status = 'active'), 0) as active,
                     max(version) as versions from dataset_version where dataset_id = d.id) made
           where d.version <> made.active or d.newest <> made.versions`,
  },
  {
    name: 'a dataset holds what its active version delivers, or what is being checked, and no more',
    sql: `select d.id as dataset_id, v.version, v.status, d.version as delivered
            from dataset d join dataset_version v on v.dataset_id = d.id
           where (v.version = d.version or v.status = 'checking') <> exists (
             select from dataset_part where (dataset_id, version) = (v.dataset_id, v.version))`,
  },
  {
    name: 'each dataset that is sold is a product of its seller',
    sql: `select d.id as dataset_id, d.product_id
            from dataset d join product p on p.id = d.product_id
           where (p.seller_id, p.root_id, p.category) <> (d.seller_id, d.root_id, 'dataset')`,
  },
  {
    name: 'each user of a dataset is of an order of it, or of one that need not be bought',
    sql: `select g.id as grant_id, g.dataset_id, g.order_id
            from dataset_grant g join dataset d on d.id = g.dataset_id
            left join orders o on o.id = g.order_id
           where case when o.id is null then d.root_id <> g.root_id and g.ends_at > d.sold_at
                 else (o.product_id, o.buyer_id) is distinct from (d.product_id, g.agent_id) end`,
  },
  {
    name: 'no user of a refunded order is left to be used',
    sql: `select g.id as grant_id, g.ends_at from dataset_grant g join orders o on o.id = g.order_id
           where (o.status = 'refunded') <> g.revoked
              -- not now(), which may be before the snapshot of what was refunded
              or g.revoked and g.ends_at > statement_timestamp()`,
  },
  {
    name: 'each dataset was opened by its tree, by its buyers after they paid, or was free',
    sql: `select o.id as opening, o.object_id as dataset_id, o.root_id
            from opening o left join dataset d on d.id = o.object_id
           where o.object_kind = 'dataset' and (d.id is null
              or d.sold_at <= o.opened_at and d.root_id <> o.root_id and not exists (
                -- by ids, which are drawn under the lock of the order
                select from orders bought left join opening seen
                    on (seen.object_kind, seen.object_id) = ('order', bought.id) and seen.first
                 where bought.product_id = d.product_id and bought.buyer_root = o.root_id
                   and bought.revealed_at is not null and coalesce(seen.id, 0) < o.id))`,
  },
];
