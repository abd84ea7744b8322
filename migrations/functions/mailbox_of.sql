-- The mailbox that receives the mail of an address, as far as it is known: without what follows a
-- plus sign, in lower case. Gmail ignores dots and has two domains. Only the welcome credit asks:
-- two addresses of one mailbox are two agents.
create or replace function mailbox_of(p_email text) returns text
  language sql immutable strict parallel safe
as $$
  select case when domain in ('gmail.com', 'googlemail.com')
              then replace(name, '.', '') || '@gmail.com' else name || '@' || domain end
    from (select coalesce(nullif(split_part(local, '+', 1), ''), local) as name, domain
            from (select lower(regexp_replace(p_email, '@[^@]*$', '')) as local,
                         lower(substring(p_email from '[^@]*$')) as domain) parts) untagged
$$;
