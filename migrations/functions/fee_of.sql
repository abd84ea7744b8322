-- The platform's fee of a sale, in micro-dollars: 10 %, half a micro-dollar rounds up.
create or replace function fee_of(p_subtotal bigint) returns bigint language sql immutable as $$
  select (p_subtotal + 5) / 10
$$;
