import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, Output, Text, Type } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';

export const getReceiptDay = operation({
  name: 'get_receipt_day',
  title: 'Get the hash of a day',
  summary:
    'Shows the signed hash over all receipts of a day, which names that of the day before. Keep ' +
    'it, and no receipt of that day can be changed without you seeing it. Needs no key. Free.',
  access: 'public',
  mode: 'read',
  rest: 'GET /api/v1/receipts/days/:day',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({ day: Text(10, 10, 'The day (UTC), as 2027-01-31.') }),
  output: Output('ReceiptDay', {
    day: Text(10, 10, 'The day.'),
    first_receipt_id: Id('Its first receipt, if it has one.'),
    count: Type.Integer({ description: 'Its receipts.' }),
    root_hash: Text(64, 64, 'Root of their hash tree (RFC 9162), in hex.'),
    signed: Type.String({ description: 'The same, signed, with the hash of the day before.' }),
    sha256: Text(64, 64, 'Hash of signed, in hex. The next day names it.'),
  }),

  async handle({ db }, { day }) {
    const date = new Date(`${day}T00:00:00Z`);
    if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) {
      throw invalid([{ pointer: '/day', message: 'must be a day such as 2027-01-31' }]);
    }
    const [found] = await rows(
      db,
      DAY,
      `select first_id, count, encode(root_hash, 'hex') as root_hash,
              jws_of(k.header, d.document, d.signature) as jws, encode(d.hash, 'hex') as hash
         from receipt_day d join receipt_key k on k.id = d.key_id where d.day = $1`,
      [day],
    );
    if (!found) {
      const message = 'There is no hash of this day: it is not over, or was before the first one.';
      throw new Refusal('not_found', message);
    }
    return {
      day,
      first_receipt_id: found.first_id,
      count: found.count,
      root_hash: found.root_hash,
      signed: found.jws,
      sha256: found.hash,
    };
  },
});

const DAY = {
  first_id: column.id,
  count: column.int,
  root_hash: column.text,
  jws: column.text,
  hash: column.text,
};
