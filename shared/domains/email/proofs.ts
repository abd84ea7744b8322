import type { Proof } from '../ledger/proof.ts';

/** Proofs that each validation was charged the amount in its answer. */
export const emailProofs: readonly Proof[] = [
  {
    name: 'each email validation was charged what it says, and nothing else was charged for one',
    sql: `select coalesce(j.id, c.call_id) as job, j.charged as said, c.credit + c.cash as charged
            from (select id, case
                           when operation <> 'check_emails' then (answer->>'charged')::numeric
                           else (select sum((result->>'charged')::numeric)
                                   from json_array_elements(answer->'results') result) end
                         as charged
                    from job where operation in ('validate_email', 'check_emails',
                                                 'check_email_file') and status = 'complete') j
            full join (select * from charge where service = 'email') c on c.call_id = j.id
           where (j.id is not null or exists (select from job where id = c.call_id))
             and coalesce(j.charged * 1000000, 0) <> coalesce(c.credit + c.cash, 0)`,
  },
  {
    name: 'each answer in a file of addresses was charged by its job, and once',
    // Answers that were given back are withdrawn; release 0.2.0 left them as they were.
    sql: `select coalesce(a.call_id, c.call_id) as job, a.said, c.charged, c.refunded
            from (select call_id, sum((result->>'charged')::numeric) * 1000000 as said
                    from email_file_address where call_id is not null group by call_id) a
            full join (select call_id, credit + cash as charged,
                              refunded_credit + refunded_cash as refunded from charge
                        where service = 'email'
                          and (call_id in (select call_id from email_file_address)
                               or call_id in (select j.id from job j
                                                join email_file f
                                                  on f.id = (j.input->>'file_id')::bigint
                                               where j.operation = 'check_email_file'))) c
                   on c.call_id = a.call_id
           where coalesce(a.said, 0) not between coalesce(c.charged - c.refunded, 0)
                                           and coalesce(c.charged, 0)`,
  },
  {
    name: 'each answer about an email that was given back is a refusal of a mail host, once',
    sql: `select m.id as reply, r.id as refund, r.charge_id, r.credit + r.cash as amount
            from (select * from mail_reply where refunded) m
            full join (select charge_refund.* from charge_refund
                         join charge on charge.id = charge_id where service = 'email') r
              on r.charge_id = m.charge_id and r.cause = 'reply:' || m.id
           where m.id is null or r.id is null or r.credit + r.cash <> 2000`,
  },
];
