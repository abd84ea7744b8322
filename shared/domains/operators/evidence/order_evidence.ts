import { party } from './party.ts';

/** SQL: the evidence of a disputed order. What its vault holds is no part of it. */
export const ORDER_EVIDENCE = `
  select o.status, v.title, o.subtotal + o.fee as amount, d.opened_at, d.closed_at,
         jsonb_build_object(
           'product_id', o.product_id, 'category', p.category, 'version', o.version,
           'current_version', p.version, 'version_changed_at', v.superseded_at,
           'unit_price', o.unit_price, 'quantity', o.quantity,
           'release_at', o.release_at) as listing,
         jsonb_build_array(${party('buyer', 'o.buyer_id')},
           ${party('seller', 'o.seller_id')}) as parties,
         jsonb_build_array(
           jsonb_build_object('what', 'description', 'text',
             case when o.version = p.version then p.description else v.description end),
           jsonb_build_object('what', 'description_now', 'text',
             case when o.version <> p.version then p.description end)) as promised,
         jsonb_build_array(jsonb_build_object(
           'by', 'seller', 'at', o.created_at, 'status', 'in the vault',
           'units', nullif(units.count, 0), 'sha256', sold.sha256)) as delivered,
         jsonb_build_array(
           jsonb_build_object('what', 'bought', 'at', o.created_at, 'by', 'buyer'),
           jsonb_build_object('what', 'opened', 'at', o.revealed_at, 'by', 'buyer', 'username',
             (select username from agent where id = (
                select agent_id from opening
                 where first and object_kind = 'order' and object_id = o.id))),
           jsonb_build_object('what', 'changed', 'at', v.superseded_at, 'by', 'seller'),
           jsonb_build_object('what', 'disputed', 'at', d.opened_at, 'by', 'buyer',
             'text', d.reason),
           jsonb_build_object('what', 'answered', 'at', d.responded_at, 'by', 'seller',
             'text', d.response)) as history,
         case when sold.order_id is not null then jsonb_build_object(
           'dataset_id', sold.dataset_id, 'version', sold.version, 'sha256', sold.sha256,
           'current_version', dataset.version) end as dataset,
         d.outcome as verdict, d.note,
         case d.outcome when 'withdrawn' then 'buyer' when 'refunded_by_seller' then 'seller'
           when 'seller_silent' then 'rule' else 'operator' end as decided_by,
         o.refunded as returned
    from dispute d
    join orders o on o.id = d.order_id
    join product p on p.id = o.product_id
    join product_version v on v.product_id = o.product_id and v.version = o.version
    left join dataset_sale sold on sold.order_id = o.id
    left join dataset on dataset.id = sold.dataset_id
   cross join lateral (select count(*)::int as count from stock where order_id = o.id) units
   where d.order_id = $1`;
