-- The words by which a product is found. Those of its title weigh most (A), then those of its
-- description (B), then its category and its seller (C).
create or replace function search.product_words(
  p_title text, p_description text, p_category text, p_seller_name text) returns tsvector
language plpgsql immutable parallel safe as $$
declare
  category_words text := case p_category when 'serial_key' then 'serial key, software license'
                                         when 'dataset' then 'dataset, data set'
                                         else replace(p_category, '_', ' ') end;
begin
  return setweight(to_tsvector('english', search.words(p_title)), 'A')
      || setweight(to_tsvector('english', search.words(p_description)), 'B')
      || setweight(to_tsvector('english', search.words(category_words || ', ' || p_seller_name)),
                   'C');
end $$;
