import type { Proof } from '../ledger/proof.ts';

/** Proofs that datasets deliver only checked versions, and only to those with access. */
export const datasetsProofs: readonly Proof[] = [
  {
    name: 'each dataset delivers its newest version that passed its check',
    sql: `select d.id as dataset_id, d.version, d.newest, made.active, made.versions
            from dataset d left join (
              select dataset_id, max(version) filter (where status = 'active') as active,
                     max(version) as versions from dataset_version group by 1) made
              on made.dataset_id = d.id
           where d.version <> coalesce(made.active, 0) or d.newest <> made.versions`,
  },
  {
    name: 'a dataset holds what it delivers, what is being checked and what was replaced lately',
    sql: `select d.id as dataset_id, v.version, v.status, d.version as delivered
            from dataset d join dataset_version v on v.dataset_id = d.id
            left join (select distinct dataset_id, version from dataset_part) kept
              on (kept.dataset_id, kept.version) = (v.dataset_id, v.version)
           where case when v.version = d.version or v.status = 'checking'
                      then kept.version is null or v.superseded_at is not null
                      else kept.version is not null and v.superseded_at is null end`,
  },
  {
    name: 'what each open order bought of a dataset is kept, with the hash of the order',
    sql: `select sold.*, kept.sha256 as kept
            from (select dataset_id, version, sha256, min(order_id) as order_id
                    from dataset_sale where is_open group by 1, 2, 3) sold
            join dataset d on d.id = sold.dataset_id
            left join lateral (
              select count(*) as parts, max(part) as last,
                     (array_agg(p.sha256 order by part desc))[1] as sha256
                from dataset_part p
               where (p.dataset_id, p.version) = (sold.dataset_id, sold.version)) kept on true
           where kept.parts = 0 or kept.parts <> kept.last + 1
              or d.type = 'json' and kept.sha256 is distinct from sold.sha256`,
  },
  {
    name: 'each open order of a dataset, and no other, has a version that is kept for it',
    sql: `select o.id as order_id, d.id as dataset_id, s.version, s.is_open
            from dataset d join orders o on o.product_id = d.product_id
            left join dataset_sale s on s.order_id = o.id
           where s.order_id is null and o.closed_at is null or s.dataset_id <> d.id
              or s.version > d.version or s.is_open <> (o.closed_at is null)`,
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
                            -- not now(), which may be before the snapshot that shows the refunds
              or g.revoked and g.ends_at > statement_timestamp()`,
  },
  {
    name: 'no timer pays for a dataset whose buyer asked for access and has none yet',
    sql: `select o.id as order_id, a.access_by, a.failed, g.version, g.fault
            from orders o left join dataset_grant g on g.order_id = o.id
            left join order_access a on a.order_id = o.id
           where (o.closed_at is null and g.version = 0) is true <> (a.order_id is not null)
              or a.failed <> (g.fault is not null)`,
  },
  {
    name: 'each dataset was opened by its tree, by its buyers after they paid, or was free',
    sql: `select o.id as opening, o.object_id as dataset_id, o.root_id
            from opening o left join dataset d on d.id = o.object_id
            left join (
              select bought.product_id, bought.buyer_root, min(coalesce(seen.id, 0)) as since
                from orders bought join dataset using (product_id)
                left join opening seen
                  on (seen.object_kind, seen.object_id) = ('order', bought.id) and seen.first
               where bought.revealed_at is not null group by 1, 2) paid
              on (paid.product_id, paid.buyer_root) = (d.product_id, o.root_id)
           where o.object_kind = 'dataset' and (d.id is null
              or d.sold_at <= o.opened_at and d.root_id <> o.root_id
                 -- ordered by ids, which are drawn under the lock of the order
                 and (paid.since < o.id) is not true)`,
  },
];
