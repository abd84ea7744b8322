import { field, view } from '../../kernel/view.ts';

const INTERFACES = ['rest', 'mcp'] as const;

/** A row of the log of requests, as owners see it. */
export const RequestView = view('Request', {
  request_id: field.orNull(field.text('X-Request-Id of its answer; null: it sums up several.')),
  at: field.time('Start of the call, or of the last one that it sums up.'),
  agent_id: field.id('The agent whose key was used.'),
  agent_name: field.name('Name of that agent.'),
  interface: field.oneOf(INTERFACES, 'Interface.'),
  operation: field.orNull(field.text('Operation; null: several.')),
  status: field.whole('Status that REST gives the answer.'),
  error: field.orNull(field.text('Code of the refusal; null: none, or several.')),
  ms: field.whole('Time to the answer in ms; of several calls the mean.'),
  cost: field.orNull(
    field.amount('Taken from the wallet; null: its answer does not say, or not yet.'),
  ),
  calls: field.whole('Number of calls that it stands for: 1, or a sum of equal calls of a minute.'),
  job_id: field.orNull(field.text('Job that performs the call; null: none.')),
  answer: field.orNull(field.text('An error answer, up to 2 000 characters; null: no error.')),
});
