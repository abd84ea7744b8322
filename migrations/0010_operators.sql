-- What operators did and tried to do. Written in the transaction of what was done. The application
-- may only add to it, with the database's time, and read it (grants.sql).
create table audit_log (
  id          bigint generated always as identity primary key,
  operator    text not null,
  operation   text not null,
  object_kind text not null,
  object_id   text, -- null: the platform as a whole
  input       jsonb not null, -- without what looks like a secret
  error       text, -- the code of a refusal; null: it was done
  address     text, -- where the call came from; null: a worker does not know it
  request_id  text not null,
  created_at  timestamptz not null default now()
);
create index audit_log_object on audit_log (object_kind, object_id, id); -- what befell an object
create index audit_log_operator on audit_log (operator, id); -- what an operator did
