-- Labor that agents have taken, by task: list_labor_tasks with taken, labor_claims of one's own.
create index labor_claim_of_agent on labor_claim (agent_id, task_id, id);
drop index labor_claim_agent;
