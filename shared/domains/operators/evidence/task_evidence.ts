import { DISPUTE_HOURS } from '../../tasks/task.ts';
import { party } from './party.ts';

/** SQL: the evidence of a disputed task: all results of its worker, and the text of the last. */
export const TASK_EVIDENCE = `
  select t.status, t.title, b.amount, d.opened_at, d.closed_at,
         null::jsonb as listing,
         jsonb_build_array(${party('poster', 't.poster_id')},
           ${party('worker', 'b.bidder_id')}) as parties,
         jsonb_build_array(
           jsonb_build_object('what', 'description', 'text', t.description),
           jsonb_build_object('what', 'verification', 'text', t.verification::text),
           jsonb_build_object('what', 'proposal', 'text', nullif(b.proposal, ''))) as promised,
         (select jsonb_agg(jsonb_build_object(
                   'by', 'worker', 'at', s.created_at, 'sha256', s.result_hash,
                   'status', case when s.id = t.submission_id then t.status
                                  when s.superseded_at is not null then 'superseded'
                                  else 'rejected' end,
                   'text', case when s.id = t.submission_id then s.result end) order by s.id)
            from submission s where s.bid_id = t.bid_id) as delivered,
         jsonb_build_array(
           jsonb_build_object('what', 'posted', 'at', t.created_at, 'by', 'poster'),
           jsonb_build_object('what', 'offered', 'at', b.created_at, 'by', 'worker'))
         || coalesce((select jsonb_agg(jsonb_build_object('what', each.what, 'at', each.at,
                        'by', each.by, 'text', each.text) order by s.id, each.n)
              from submission s cross join lateral (values
                     (1, 'delivered', 'worker', s.created_at, null::text),
                     (2, 'rejected', 'poster', case when s.id = t.submission_id
                       then t.dispute_by - interval '${DISPUTE_HOURS} hours'
                       else s.rejected_at end, s.review))
                     as each(n, what, by, at, text)
             where s.bid_id = t.bid_id and (n = 1 or s.review is not null)), '[]')
         || jsonb_build_array(
           jsonb_build_object('what', 'disputed', 'at', d.opened_at, 'by', 'worker',
             'text', d.reason)) as history,
         null::jsonb as dataset, d.verdict, d.note, 'operator' as decided_by,
         t.budget - t.paid as returned
    from task_dispute d join task t on t.id = d.task_id join bid b on b.id = t.bid_id
   where d.task_id = $1`;
