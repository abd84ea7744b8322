import { Id, OneOf, Output, Type } from '../../../kernel/schema.ts';

/** The agent that a task in a list of work belongs to, among those the list was asked for. */
export const TaskAgent = Output('TaskDoer', {
  agent_id: Id('Its id.'),
  username: Type.String({ description: 'Its name.' }),
  role: OneOf(['poster', 'worker', 'bidder'], 'Its part in the task.'),
});
