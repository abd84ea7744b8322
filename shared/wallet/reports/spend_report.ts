import { visibleAgent } from '../../agents/tree/below.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input, OneOf, Type } from '../../kernel/schema.ts';
import { DAYS, MoneyReport, moneyReport, ReportDays } from './money_report.ts';

export const spendReport = operation({
  name: 'spend_report',
  title: 'Report what was spent',
  summary:
    'Sums up what you and those below you spent, withdrawals included, by UTC day and agent or ' +
    'category, beside as many days before. What came back counts on the day when it did. Free.',
  access: 'read',
  mode: 'read',
  domain: 'wallet',
  rest: 'GET /api/v1/wallet/spend',
  refusals: ['not_found'],
  input: Input({
    days: ReportDays,
    by: Type.Optional(OneOf(['agent', 'category'], 'What the parts are; category if absent.')),
    agent_id: Type.Optional(Id('Only of this agent below yours and of those below it.')),
  }),
  output: MoneyReport,

  async handle(tx, { days = DAYS, by = 'category', agent_id }) {
    const agentId = await visibleAgent(tx, agent_id);
    const { rootId } = tx.caller;
    return moneyReport(tx.db, { rootId, agentId, isSale: false, by, days, now: tx.now });
  },
});
