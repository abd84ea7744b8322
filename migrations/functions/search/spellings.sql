-- A word, and what is left of it without one of its letters. Two words that have one of these in
-- common are a letter apart: one more, one less, another one, or two that changed their order.
create or replace function search.spellings(p_word text) returns text[]
language sql immutable parallel safe return
  (select array_agg(distinct left(p_word, n) || substr(p_word, n + 2))
     from generate_series(0, length(p_word)) as n);
