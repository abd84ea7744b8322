-- Lists that read more than they show where a tree, or the platform, has very much.

create index agent_of_a_root on agent (root_id, id); -- list_children, newest first
drop index agent_root;
create index withdrawal_by_status on withdrawal (root_id, status, id); -- list_withdrawals
create index approval_by_status on approval (root_id, status, id); -- list_approvals of a tree
-- the same of a part of it
create index approval_of_an_agent on approval (agent_id, status, id) where agent_id <> root_id;
drop index approval_of_a_tree;
-- list_deposits by status, of those that are not as most are
create index deposit_by_status on deposit (root_id, status, id) where status <> 'credited';
drop index deposit_not_credited;
-- list_deposits of a child: few are of one
create index deposit_of_a_child on deposit (agent_id, id) where agent_id <> root_id;
create index audit_log_kind on audit_log (object_kind, id); -- list_audit_log of a kind
create index audit_log_operation on audit_log (operation, id); -- the same of an operation
create index audit_log_refused on audit_log (id) where error is not null; -- and of what was refused
