-- The query that finds products with this word, in one of its forms, or with this phrase. Empty for
-- words that are in every text, such as "the".
create or replace function search.term(p_text text, p_is_phrase boolean) returns tsquery
language plpgsql immutable parallel safe as $$
declare
  form record := search.forms(p_text);
  term tsquery := phraseto_tsquery('english', form.plain);
begin
  if p_is_phrase then return term; end if;
  term := coalesce(term || plainto_tsquery('english', form.joined), term);
  return coalesce(term || phraseto_tsquery('english', form.split), term);
end $$;
