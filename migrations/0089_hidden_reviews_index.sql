-- no transaction
drop index concurrently if exists review_hidden;
-- reviews_to_moderate with hidden: they are few
create index concurrently review_hidden on review (order_id) where hidden_at is not null;
