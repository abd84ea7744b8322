-- The answer of purchase_product: these bytes are stored in the job and sent.
create or replace function purchase_answer(
  p_order bigint, p_product bigint, p_quantity int, p_total bigint, p_release_at timestamptz
) returns json language sql stable as $$
  select row_to_json(row(
    p_order, 'escrow', '/vault/' || p_order, p_product, p_quantity,
    trim_scale(p_total / 1000000.0),
    to_char(p_release_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::bought)
$$;
