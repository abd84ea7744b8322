import { party } from './party.ts';

/** SQL: the evidence of an appealed claim, with what others have answered to its unit. */
export const LABOR_EVIDENCE = `
  select c.status, t.title, t.reward as amount, d.opened_at, d.closed_at,
         null::jsonb as listing,
         jsonb_build_array(${party('poster', 't.poster_id')},
           ${party('worker', 'c.agent_id')}) as parties,
         jsonb_build_array(
           jsonb_build_object('what', 'instructions', 'text', t.instructions),
           jsonb_build_object('what', 'unit', 'text', u.payload),
           jsonb_build_object('what', 'verification', 'text', t.json_schema::text),
           jsonb_build_object('what', 'template', 'text', t.template::text),
           jsonb_build_object('what', 'known_answer', 'text', u.expected)) as promised,
         (select jsonb_agg(jsonb_build_object(
                   'by', case when o.id = c.id then 'worker' else 'other' end,
                   'at', o.delivered_at, 'status', o.status, 'text', o.submission,
                   'sha256', encode(sha256(convert_to(o.submission, 'UTF8')), 'hex'))
                   order by o.id <> c.id, o.id)
            from labor_claim o
           where o.unit_id = c.unit_id and o.submission is not null) as delivered,
         jsonb_build_array(
           jsonb_build_object('what', 'posted', 'at', t.created_at, 'by', 'poster'),
           jsonb_build_object('what', 'taken', 'at', c.taken_at, 'by', 'worker'),
           jsonb_build_object('what', 'delivered', 'at', c.delivered_at, 'by', 'worker'),
           jsonb_build_object('what', 'rejected', 'at', null, 'text', d.rejection,
             'by', case when d.rejected_by = 'poster' then 'poster' else 'rule' end),
           jsonb_build_object('what', 'disputed', 'at', d.opened_at, 'by', 'worker',
             'text', c.appeal)) as history,
         null::jsonb as dataset, d.verdict, d.note,
         case when d.decided_by = 'operator' then 'operator'
              when d.decided_by = 'poster' then 'poster' else 'rule' end as decided_by,
         case when d.verdict = 'reject' then t.reward else 0 end as returned
    from labor_dispute d join labor_claim c on c.id = d.claim_id
    join labor_task t on t.id = c.task_id join labor_unit u on u.id = c.unit_id
   where d.claim_id = $1`;
