-- The category that policies count a metered call to.
create or replace function charge_category(p_service text) returns text
language sql immutable as $$
  select case p_service when 'proxy' then 'proxy_service' when 'token' then 'token'
                        else 'api_service' end
$$;
