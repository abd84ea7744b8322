import { TIERS } from '../kernel/rate_limit.ts';
import { Amount, Id, OneOf, Output, Type, type Static } from '../kernel/schema.ts';

/**
 * What an event says of its object beside its status. Every field of every type of event is here:
 * what is not cannot reach a reader by accident. No field holds a secret, nor text that another
 * party wrote.
 */
export const EventData = Output('EventData', {
  order_id: Type.Optional(Id('Of an order.')),
  job_id: Type.Optional(Type.String({ description: 'Of a job that has ended.' })),
  operation: Type.Optional(Type.String({ description: 'What the job was to do.' })),
  product_id: Type.Optional(Id('What was ordered, or is to be, or was reviewed.')),
  quantity: Type.Optional(Type.Integer({ description: 'How many units.' })),
  refunded: Type.Optional(Amount('What the buyer or poster got back.')),
  amount: Type.Optional(
    Amount(
      'Of a credit or its reversal, a withdrawal, the fee of a token, or of what an owner is to approve.',
    ),
  ),
  agent_id: Type.Optional(
    Id('An agent that was spawned, whose policy was set, or that needs an approval.'),
  ),
  deposit_id: Type.Optional(Id('Of a deposit.')),
  reason: Type.Optional(
    Type.String({
      description:
        'Why a card was not charged, or a payment by chain not credited; of a job, its error.',
    }),
  ),
  owed: Type.Optional(Amount('What the wallet still owes.')),
  task_id: Type.Optional(Id('Of a task, or of a labor task.')),
  claim_id: Type.Optional(Id('Of a claim on a unit of a labor task.')),
  budget: Type.Optional(Amount('Of a task, or of a labor task.')),
  bid_id: Type.Optional(Id('Of a bid on a task.')),
  bid_amount: Type.Optional(Amount('What was bid.')),
  submission_id: Type.Optional(Id('Of a result of a task.')),
  withdrawal_id: Type.Optional(Id('Of a withdrawal.')),
  token_id: Type.Optional(Id('Of an asset or an NFT here, as its answer names it.')),
  tx_id: Type.Optional(Type.String({ description: 'The transaction on its chain.' })),
  message_id: Type.Optional(Id('Of a message.')),
  from_agent_id: Type.Optional(Id('Who wrote it.')),
  paid: Type.Optional(Amount('What the worker of a task got, or the workers of a labor task.')),
  owner_id: Type.Optional(Id('The agent that spawned it.')),
  permissions: Type.Optional(
    Type.Array(Type.String(), { description: 'The scopes that its first key has.' }),
  ),
  set_by: Type.Optional(Id('The agent that set its policy, suspended or resumed it.')),
  by_operator: Type.Optional(Type.Literal(true, { description: 'An operator did it.' })),
  version: Type.Optional(Type.Integer({ description: 'Of the policy, or of the dataset.' })),
  dataset_id: Type.Optional(Id('Of a dataset.')),
  accessed_by: Type.Optional(Id('The agent that opened a dataset.')),
  decided_by: Type.Optional(Id('The agent that decided about an approval.')),
  anomaly_id: Type.Optional(Id('Of an anomaly; monitor_agent shows it.')),
  tier: Type.Optional(OneOf(TIERS, 'That a tree of agents has now, for its rate limit.')),
  settled_inflow: Type.Optional(Amount('By which it has that tier.')),
  proof: Type.Optional(
    OneOf(
      ['password', 'app_code', 'recovery_code', 'passkey'],
      'What an owner has signed in to the console by.',
    ),
  ),
  rule: Type.Optional(Type.String({ description: 'The rule by which it is one.' })),
});
export type EventData = Static<typeof EventData>;
