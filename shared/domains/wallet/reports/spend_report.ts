import { visibleAgent } from '../../agents/tree/below.ts';
import { operation } from '../../../kernel/operation.ts';
import { Id, Input, OneOf, Type } from '../../../kernel/schema.ts';
import { DAYS, MoneyReport, moneyReport, ReportDays } from './money_report.ts';

export const spendReport = operation({
  name: 'spend_report',
  title: 'Report spending',
  summary:
    'Sums up spending of you and agents below you, withdrawals included, by UTC day and agent or ' +
    'category, with the same number of days before. Refunds count on their own day. Free.',
  phrasings: `
    how much was spent, by agent or category; which agent costs the most; analysis of spending,
    budget report; expenses of my bots; spending by category this month; how fast am I burning
    money; cost breakdown per agent; compare spending with the period before; which category
    eats my budget; daily expenses summary; summary of costs; how much money goes to which
    agent; total spent per day; where is the budget going; monitor consumption; biggest
    expenses; overview of expenditure; costs this month; are we spending too much; what costs me
    the most; break down costs; how much did each bot use; weekly expenses; trend of spending`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/wallet/spend',
  refusals: ['not_found'],
  input: Input({
    days: ReportDays,
    by: Type.Optional(OneOf(['agent', 'category'], 'Grouping of parts; category if absent.')),
    agent_id: Type.Optional(Id('Only this agent below yours and those below it.')),
  }),
  output: MoneyReport,

  async handle(tx, { days = DAYS, by = 'category', agent_id }) {
    const agentId = await visibleAgent(tx, agent_id);
    const { rootId } = tx.caller;
    return moneyReport(tx.db, { rootId, agentId, isSale: false, by, days, now: tx.now });
  },
});
