-- A mailbox whose account was closed, as it is remembered: nobody reads an address from it.
create or replace function welcome_digest(p_mailbox text) returns text
language sql immutable as $$
  select 'sha256 ' || encode(sha256(convert_to(p_mailbox, 'UTF8')), 'hex')
$$;
