-- A call that somebody else must allow first: the body of its 202, and the input of a write, sealed.
-- While deferral is set, run_at and push_after are infinity: no worker takes it.
alter table job add column deferral json, add column sealed_input bytea;
