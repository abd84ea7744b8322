-- All forms of a text. The other forms come last, so that phrases stay whole.
create or replace function search.words(p_text text) returns text
language sql immutable parallel safe return
  (select concat_ws(' . ', plain, joined, split) from search.forms(p_text));
