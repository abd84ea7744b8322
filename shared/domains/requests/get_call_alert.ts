import { operation } from '../../kernel/operation.ts';
import { Input } from '../../kernel/schema.ts';
import { CallAlert, findCallAlert } from './call_alert.ts';

export const getCallAlert = operation({
  name: 'get_call_alert',
  title: 'Get the alert of calls',
  summary: 'Shows above which share of errors and which cost of an hour you are told. Free.',
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/requests/alert',
  bindings: { tool: false },
  input: Input({}),
  output: CallAlert.schema,

  handle: async ({ db, caller }) => CallAlert.show(await findCallAlert(db, caller.rootId)),
});
