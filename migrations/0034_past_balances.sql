-- What trees held after some of their transfers, so that a statement which begins long ago sums up
-- little: of about one transfer in 64, kept by the timer that makes the daily sums.
create table past_balance (
  root_id     bigint not null references agent,
  transfer_id bigint not null, -- after this transfer
  balance     bigint not null check (balance >= 0), -- credit and cash
  primary key (root_id, transfer_id)
);

\ir functions/reports/keep_past_balances.sql
select keep_past_balances(0, (select id from money_watermark));
