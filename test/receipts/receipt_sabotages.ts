import type { Sabotage } from '../kernel/sabotage.ts';

const HASH = 'each receipt, and each day of them, has the hash of what was signed';
const NUMBERS = 'receipts are numbered without a gap, up to the mark';
const CHAIN = 'each receipt names the one before of each of its trees, and each tree its last one';
const TRANSFERS =
  'each receipt names transfers of its deal as they are, and each settlement is in its one';
const CHARGES = 'receipts of metered charges add up to the charges of their trees up to the mark';
const DAYS = 'each closed day counts the receipts issued on it, and follows the day before';

/** SQL: the receipt of the refunded order says this instead, and is signed as it stands. */
const says = (change: string) =>
  `update receipt r set document = ${change}, hash = sha256(convert_to(
            jws_of((select header from receipt_key k where k.id = r.key_id), ${change}, signature),
            'UTF8'))
    where kind = 'order' and object_id = :refunded;`;

export const RECEIPT_SABOTAGES: readonly Sabotage[] = [
  {
    proof: HASH,
    what: 'a receipt that was changed',
    sql: `update receipt set document = replace(document, '"version":1', '"version":2')
           where kind = 'order' and object_id = :refunded`,
  },
  {
    proof: HASH,
    what: 'a day that was signed again',
    sql: `update receipt_day set signature = decode(repeat('00', 64), 'hex')`,
  },
  {
    proof: NUMBERS,
    what: 'one that nobody issued',
    sql: 'update receipt_watermark set last_id = last_id + 1',
  },
  {
    proof: CHAIN,
    what: 'a tree whose last one is another',
    sql: `update receipt_head set hash = sha256('') where root_id = :seller`,
  },
  {
    proof: CHAIN,
    what: 'one that names another before it',
    sql: says(`replace(document, '"previous":"', '"previous":"0')`),
  },
  {
    proof: TRANSFERS,
    what: 'other money than moved',
    sql: says(`replace(document, '"order.refund","credit":0', '"order.refund","credit":9')`),
    also: [CHAIN],
  },
  {
    proof: TRANSFERS,
    what: 'a deal of another id',
    sql: `update receipt set object_id = -1 where kind = 'order' and object_id = :refunded`,
  },
  {
    proof: TRANSFERS,
    what: 'a deal of another kind',
    sql: `update receipt set kind = 'labor_refund' where kind = 'order' and object_id = :refunded`,
  },
  {
    proof: TRANSFERS,
    what: 'a settlement that is in none',
    sql: says(`replace(document, '"transfers":[{', '"transfers":[],"others":[{')`),
    also: [CHAIN],
  },
  {
    proof: CHARGES,
    what: 'a charge that is in none',
    sql: `update receipt set kind = 'reversal' where kind = 'charges' and payer_id = :buyer`,
  },
  {
    proof: DAYS,
    what: 'one too few',
    sql: 'update receipt_day set count = count - 1 where count > 0',
  },
];
