-- A word, and its variants without one of its letters. Two words that share one of these differ by
-- a letter: one more, one less, another one, or two that changed their order.
create or replace function search.spellings(p_word text) returns text[]
language sql immutable parallel safe return
  (select array_agg(distinct left(p_word, n) || substr(p_word, n + 2))
     from generate_series(0, length(p_word)) as n);
