-- The words of a text in the form in which they are searched: composed (NFC), without the hidden
-- characters that a text keeps as it was sent, in lower case, without punctuation, in one spelling
-- if British and American English differ; then its words that are also written as one ("real-time",
-- "ERC-20") or as two ("socks5").
create or replace function search.forms(
  p_text text, out plain text, out joined text, out split text)
language plpgsql immutable parallel safe as $$
declare
  shown text := normalize(regexp_replace(p_text,
    '[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]', '', 'g'));
  words text := regexp_replace(lower(shown), '[^[:alnum:]-]+', ' ', 'g');
begin
  words := regexp_replace(words, '\m(lic|def|off|pret)ence', '\1ense', 'g');
  words := regexp_replace(words, '\m(behavi|fav|flav|harb|hon|lab|neighb)our', '\1or', 'g');
  words := regexp_replace(words, 'centre', 'center', 'g');
  words := regexp_replace(words, '\m(ana|cata|dia)logue', '\1log', 'g');
  words := regexp_replace(words, '([a-z]{3}i|\mcataly|\manaly)s(?=(e|ed|er|ers|es|ing|ations?)\M)',
                          '\1z', 'g');
  plain := replace(words, '-', ' ');
  select string_agg(replace(form[1], '-', ''), ' ') into joined
    from regexp_matches(words, '[[:alnum:]]+(?:-[[:alnum:]]+)+', 'g') as form;
  select string_agg(form[1] || ' ' || form[2], ' ') into split
    from regexp_matches(plain, '\m([[:alpha:]]+)([0-9]+)\M', 'g') as form;
end $$;
