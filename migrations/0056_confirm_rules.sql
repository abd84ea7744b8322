-- Orders that are confirmed by themselves, by a rule of their buyers' owner.

create table confirm_rule (
  root_id    bigint primary key references agent,
  enabled    boolean not null,
  amount_max bigint not null check (amount_max > 0), -- of an order with its fee, micro-dollars
  hours      smallint not null check (hours between 1 and 72) -- after the first opening
);
