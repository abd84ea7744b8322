import type { Proof } from '../ledger/proof.ts';

/** SQL: transfers that settle a deal, with its kind. */
const SETTLING = `
  (values ('order.release', 'order'), ('order.refund', 'order'), ('order.fee', 'order'),
          ('task.release', 'task'), ('task.refund', 'task'), ('labor.release', 'labor_unit'),
          ('labor.refund', 'labor_refund'), ('deposit', 'deposit'),
          ('deposit.reversal', 'reversal'), ('deposit.owed', 'reversal'),
          ('deposit.restoration', 'reversal'), ('withdrawal.paid', 'withdrawal'),
          ('withdrawal.refund', 'withdrawal')) as s(moves, kind)`;

/**
 * SQL: bytes in base64url. `translate`, which looks at each character, takes five times as long as
 * this, and is most of the cost of `jws_of`.
 */
const base64url = (bytes: string) => `
  replace(replace(rtrim(replace(encode(${bytes}, 'base64'), E'\\n', ''), '='), '+', '-'),
          '/', '_')`;

/** SQL: the hash of a signed document d in its compact form (RFC 7515, section 7.1). */
const SIGNED_HASH = `
  sha256(convert_to(k.header || '.' || ${base64url(`convert_to(d.document, 'UTF8')`)} || '.'
                    || ${base64url('d.signature')}, 'UTF8'))`;

/** Proofs that all that was signed is what the ledger says, once, and in one chain a tree. */
export const receiptsProofs: readonly Proof[] = [
  {
    name: 'each receipt, and each day of them, has the hash of what was signed',
    sql: `select d.id, null as day from receipt d join receipt_key k on k.id = d.key_id
           where d.hash <> ${SIGNED_HASH}
          union all
          select null, d.day::text from receipt_day d join receipt_key k on k.id = d.key_id
           where d.hash <> ${SIGNED_HASH}`,
  },
  {
    name: 'receipts are numbered without a gap, up to the mark',
    sql: `select count(*), max(id), (select last_id from receipt_watermark) as last_id from receipt
          having count(*) <> coalesce(max(id), 0)
              or count(*) <> (select last_id from receipt_watermark)`,
  },
  {
    name: 'each receipt names the one before of each of its trees, and each tree its last one',
    sql: `with link as (
            select r.id, a.root_id, r.hash, r.document::json #>> '{payer,previous}' as previous
              from receipt r join agent a on a.id = r.payer_id
            union all
            select r.id, a.root_id, r.hash, r.document::json #>> '{payee,previous}'
              from receipt r join agent a on a.id = r.payee_id),
          chain as (
            select *, lag(hash) over (partition by root_id order by id) as before,
                   lead(id) over (partition by root_id order by id) is null as is_last from link)
          select c.id, c.root_id, c.previous, encode(c.before, 'hex') as before
            from chain c left join receipt_head h on h.root_id = c.root_id
           where c.previous is distinct from encode(c.before, 'hex')
              or c.is_last and h.hash is distinct from c.hash`,
  },
  {
    // Both ways in one, because to read all documents is most of its cost.
    name: 'each receipt names transfers of its deal as they are, and each settlement is in its one',
    sql: `select coalesce(n.id, t.id) as transfer, n.receipt, n.kind as named, t.kind, t.ref,
                 t.credit, t.cash
            from (select r.id as receipt, r.kind as deal, r.object_id, e.*
                    from receipt r cross join lateral
                         json_to_recordset(r.document::json -> 'transfers')
                           as e(id bigint, kind text, credit numeric, cash numeric)) n
            full join (select moved.*, s.kind as deal
                         from ledger.transfer moved left join ${SETTLING} on s.moves = moved.kind) t
              on t.id = n.id
           where n.receipt is not null
                 and (t.ref, t.kind, t.credit, t.cash) is distinct from
                     (n.object_id, n.kind, (n.credit * 1000000)::bigint,
                      (n.cash * 1000000)::bigint)
              or t.id <= (select deals_to from receipt_watermark) and n.deal is distinct from t.deal
                 and t.deal is not null`,
  },
  {
    name: 'receipts of metered charges add up to the charges of their trees up to the mark',
    sql: `select *
            from (select a.root_id, r.document::jsonb #>> '{item,service}' as service,
                         sum((r.document::jsonb #>> '{amounts,paid}')::numeric * 1000000) as paid,
                         sum((r.document::jsonb #>> '{amounts,refunded}')::numeric * 1000000)
                           as refunded
                    from receipt r join agent a on a.id = r.payer_id
                   where r.kind = 'charges' group by 1, 2) signed
            full join (select coalesce(from_root, to_root) as root_id,
                              split_part(kind, '.', 1) as service,
                              coalesce(sum(credit + cash) filter (where from_root is not null), 0)
                                as charged,
                              coalesce(sum(credit + cash) filter (where to_root is not null), 0)
                                as back
                         from ledger.transfer
                        where kind in ('proxy.charge', 'proxy.refund', 'email.charge',
                                       'email.refund', 'token.charge', 'token.refund')
                          and id <= (select charges_to from receipt_watermark)
                        group by 1, 2) booked using (root_id, service)
           where paid is distinct from charged or refunded is distinct from back`,
  },
  {
    name: 'each closed day counts the receipts issued on it, and follows the day before',
    sql: `select d.day, d.first_id, d.count, r.count as issued
            from receipt_day d
            left join (select (issued_at at time zone 'UTC')::date as day, count(*) as count
                         from receipt group by 1) r on r.day = d.day
            left join receipt_day b on b.day = d.day - 1
           where d.count <> coalesce(r.count, 0)
              or b.day is not null and (d.first_id <> b.first_id + b.count
                 or d.document::jsonb ->> 'previous' is distinct from encode(b.hash, 'hex'))
              or d.document::jsonb ->> 'root_hash' <> encode(d.root_hash, 'hex')
              or (d.document::jsonb ->> 'count')::bigint <> d.count`,
  },
];
