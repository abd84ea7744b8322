-- Reviews that operators have hidden from everybody but the parties of the order, and why.
alter table review
  add column hidden_at timestamptz,
  add column hidden_reason text check (length(hidden_reason) between 1 and 500),
  add constraint review_hidden check ((hidden_at is null) = (hidden_reason is null));
