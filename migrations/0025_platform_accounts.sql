-- What the accounts of the platform hold, as sums of transfers up to the watermark of daily_money:
-- nothing keeps their balances, so that purchases do not all wait for one row.
create table account_sum (
  account    ledger.account not null,
  account_id bigint not null,
  credit     bigint not null,
  cash       bigint not null,
  primary key (account, account_id)
);
insert into account_sum (account, account_id, credit, cash)
select account, account_id, sum(credit), sum(cash)
  from (select from_account as account, from_id as account_id, -credit as credit, -cash as cash
          from ledger.transfer
         where from_root is null and id <= (select id from money_watermark)
        union all
        select to_account, to_id, credit, cash from ledger.transfer
         where to_root is null and id <= (select id from money_watermark)) t
 group by account, account_id;
