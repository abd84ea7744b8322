import { Id, OneOf, Output, Type } from '../../kernel/schema.ts';

/** Of the agents that a list of work was asked for, the one that a task is of. */
export const TaskDoer = Output('TaskDoer', {
  agent_id: Id('The agent.'),
  username: Type.String({ description: 'Its name.' }),
  role: OneOf(['poster', 'worker', 'bidder'], 'Its side.'),
});
