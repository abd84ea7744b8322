-- root_id: the owner who has to look at goods that failed its check; null: they passed.
alter table goods_verdict add column root_id bigint references agent;
update goods_verdict v set root_id = o.buyer_root
  from orders o where o.id = v.order_id and not v.passes;
-- inbox of owners
create index goods_verdict_failed on goods_verdict (root_id, checked_at) where root_id is not null;
