-- Page -2: the address that is paid for calls, to which other assets may come.
alter table chain_balance_page drop constraint chain_balance_page_page_check,
  add constraint chain_balance_page_page_check check (page >= -2);
