-- Page -2: the address that is paid for calls, to which other assets may come.
alter table chain_balance_page drop constraint chain_balance_page_page_check,
  add constraint chain_balance_page_page_check check (page >= -2);

-- What an address held by the last reading, where its listed transactions do not explain that. Its
-- page is read from the same block again: a list may leave out something for a while.
alter table chain_balance add column differs numeric(78) check (differs >= 0);
