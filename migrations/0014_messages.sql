-- Messages between the two parties of an order, between the poster of a task and one of its
-- bidders, or between the poster of a labor task and the worker of a claim.

-- A message names its order, its task and the bid on it, or its claim. sender_id and
-- recipient_id are the parties; sent_by is the sender, or an agent above it that wrote for it.
create sequence message_id;
create table message (
  id           bigint primary key default nextval('message_id'),
  order_id     bigint references orders,
  task_id      bigint,
  bid_id       bigint,
  claim_id     bigint references labor_claim,
  sender_id    bigint not null,
  sender_root  bigint not null,
  sent_by      bigint not null references agent,
  recipient_id bigint not null references agent,
  text         bytea not null, -- sealed for message.text, id, sender_id
  created_at   timestamptz not null default now(),
  answered_at  timestamptz, -- when the recipient wrote about the same
  constraint message_sender foreign key (sender_id, sender_root) references agent (id, root_id),
  constraint message_bid foreign key (bid_id, task_id) references bid (id, task_id),
  constraint message_about_one check
    (num_nonnulls(order_id, bid_id, claim_id) = 1 and (task_id is null) = (bid_id is null)),
  constraint message_to_another check (recipient_id <> sender_id)
);
-- list_messages of an order, and whether its last messages are of one party
create index message_of_order on message (order_id, id) where order_id is not null;
-- list_messages of a task
create index message_of_task on message (task_id, id) where task_id is not null;
-- whether the last messages about a bid are of one party
create index message_of_bid on message (bid_id, id) where bid_id is not null;
-- list_messages of a claim, and whether its last messages are of one party
create index message_of_claim on message (claim_id, id) where claim_id is not null;
create index message_sent on message (sender_id, id); -- list_messages
create index message_received on message (recipient_id, id); -- list_messages
-- inbox
create index message_unanswered on message (recipient_id, created_at) where answered_at is null;
create index message_rate on message (sender_root, created_at); -- what a tree sent lately
