-- The span of the call that a job came from: a trace id and a span id. Null: it is not traced.
alter table job add column trace bytea;
