-- Performs those recorded purchases that are pending, asked for no approval and are not locked by
-- another worker. Finishes the rows of those that became orders, with their answers. Leaves the
-- others as they were.
create or replace function perform_purchases(p_ids uuid[]) returns table (id uuid, answer text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_jobs       uuid[];
  v_agents     bigint[];
  v_products   bigint[];
  v_quantities int[];
  v_max_totals bigint[];
  v_answer     json;
begin
  -- A batch delivered twice must not act twice.
  select array_agg(id), array_agg(agent_id), array_agg((input ->> 'product_id')::bigint),
         array_agg(coalesce((input ->> 'quantity')::int, 1)),
         array_agg(((input ->> 'max_total_due')::numeric * 1000000)::bigint)
    into v_jobs, v_agents, v_products, v_quantities, v_max_totals
    from (select id, agent_id, input from job
           where id = any (p_ids) and status = 'pending' and deferral is null
             -- units may be reserved for an approved purchase: purchase_product.handle knows
             and not exists (select from pending_order where job_id = job.id)
           and not input ? 'quote_id' -- the same
           order by id for update skip locked) mine;

  if cardinality(v_jobs) > 1 then
    return query
    update job set status = 'complete', http_status = 200, finished_at = now(),
                   answer = sale.answer
      from purchase_batch(v_jobs, v_agents, v_products, v_quantities, v_max_totals) sale
     where job.id = sale.job_id
    returning job.id, job.answer::text;
  elsif cardinality(v_jobs) = 1 then
    v_answer := purchase_alone(
      v_jobs[1], v_agents[1], v_products[1], v_quantities[1], v_max_totals[1], null, 0);
    if v_answer is null then return; end if;
    return query
    update job set status = 'complete', http_status = 200, finished_at = now(), answer = v_answer
     where job.id = v_jobs[1]
    returning job.id, job.answer::text;
  end if;
end $$;
