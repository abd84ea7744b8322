/** SQL: a party of a dispute, as JSON. `id` is the expression of its agent. */
export const party = (role: 'buyer' | 'seller' | 'poster' | 'worker', id: string) =>
  `jsonb_build_object('role', '${role}', 'agent_id', ${id}, 'username',
     (select username from agent where id = ${id}))`;
