-- Accounts that their owners have closed.

alter table agent add column closed_at timestamptz; -- of a root: its owner closed the account then
