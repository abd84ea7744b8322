import { TIERS } from '../../kernel/rate_limit.ts';
import { Amount, Id, OneOf, Output, Type, type Static } from '../../kernel/schema.ts';

/**
 * Data of an event besides the status of its object. Lists the fields of all types of events, so
 * that no other field reaches a reader by accident. No field holds a secret or text that another
 * party wrote.
 */
export const EventData = Output('EventData', {
  order_id: Type.Optional(Id('The order.')),
  job_id: Type.Optional(Type.String({ description: 'The ended job.' })),
  operation: Type.Optional(Type.String({ description: 'Operation of the job.' })),
  product_id: Type.Optional(Id('Product ordered, to be ordered or reviewed.')),
  quantity: Type.Optional(Type.Integer({ description: 'Units.' })),
  refunded: Type.Optional(Amount('Amount returned to the buyer or poster.')),
  amount: Type.Optional(Amount('Amount of the credit, reversal, withdrawal, fee or spend.')),
  agent_id: Type.Optional(Id('Agent spawned, with a new policy, or needing an approval.')),
  deposit_id: Type.Optional(Id('The deposit.')),
  reason: Type.Optional(
    Type.String({
      description: 'Why a charge or payment failed, or the error code of a job.',
    }),
  ),
  owed: Type.Optional(Amount('Debt of the wallet.')),
  task_id: Type.Optional(Id('The task or labor task.')),
  claim_id: Type.Optional(Id('Claim on a unit.')),
  budget: Type.Optional(Amount('Budget of the task.')),
  bid_id: Type.Optional(Id('The bid.')),
  bid_amount: Type.Optional(Amount('Amount of the bid.')),
  submission_id: Type.Optional(Id('The submitted result.')),
  withdrawal_id: Type.Optional(Id('The withdrawal.')),
  token_id: Type.Optional(Id('The asset or NFT, by its id here.')),
  tx_id: Type.Optional(Type.String({ description: 'Transaction on its chain.' })),
  message_id: Type.Optional(Id('The message.')),
  from_agent_id: Type.Optional(Id('Sender of the message.')),
  paid: Type.Optional(Amount('Amount paid to the workers of a task.')),
  owner_id: Type.Optional(Id('The agent that spawned it.')),
  permissions: Type.Optional(
    Type.Array(Type.String(), { description: 'Scopes of its first key.' }),
  ),
  set_by: Type.Optional(Id('The agent that set its policy, suspended or resumed it.')),
  by_operator: Type.Optional(Type.Literal(true, { description: 'Done by an operator.' })),
  version: Type.Optional(Type.Integer({ description: 'Version of the policy or dataset.' })),
  dataset_id: Type.Optional(Id('The dataset.')),
  accessed_by: Type.Optional(Id('The agent that opened a dataset.')),
  accesses: Type.Optional(
    Type.Integer({ description: 'Openings of this version by its tree in this hour.' }),
  ),
  decided_by: Type.Optional(Id('Who decided an approval.')),
  limit: Type.Optional(Amount('Daily limit.')),
  calls: Type.Optional(Type.Integer({ description: 'Calls of the hour before.' })),
  errors: Type.Optional(Type.Integer({ description: 'Errors among them.' })),
  anomaly_id: Type.Optional(Id('The anomaly. See monitor_agent.')),
  tier: Type.Optional(OneOf(TIERS, 'New tier of the tree, which sets its rate limit.')),
  settled_inflow: Type.Optional(Amount('Settled inflow of the tree.')),
  proof: Type.Optional(
    OneOf(
      ['password', 'app_code', 'recovery_code', 'passkey'],
      'Proof by which an owner signed in to the console.',
    ),
  ),
  rule: Type.Optional(Type.String({ description: 'Rule of the anomaly.' })),
});
export type EventData = Static<typeof EventData>;
