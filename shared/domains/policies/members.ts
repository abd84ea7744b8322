/** SQL: the id of the agent $1 and of all below it. */
export const MEMBERS = `
  select id from agent
   where root_id = (select root_id from agent where id = $1) and $1 = any (lineage)`;
