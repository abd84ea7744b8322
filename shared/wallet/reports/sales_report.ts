import { visibleAgent } from '../../agents/tree/below.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input, OneOf, Type } from '../../kernel/schema.ts';
import { DAYS, MoneyReport, moneyReport, ReportDays } from './money_report.ts';

export const salesReport = operation({
  name: 'sales_report',
  title: 'Report what was earned',
  summary:
    'Sums up what you and those below you earned by sales and work, fees deducted, by the UTC ' +
    'day when it was paid out, and by product, category or agent. Free.',
  access: 'read',
  mode: 'read',
  domain: 'wallet',
  rest: 'GET /api/v1/wallet/sales',
  refusals: ['not_found'],
  input: Input({
    days: ReportDays,
    by: Type.Optional(
      OneOf(['agent', 'category', 'product'], 'What the parts are; product if absent.'),
    ),
    agent_id: Type.Optional(Id('Only of this agent below yours and of those below it.')),
  }),
  output: MoneyReport,

  async handle(tx, { days = DAYS, by = 'product', agent_id }) {
    const agentId = await visibleAgent(tx, agent_id);
    const { rootId } = tx.caller;
    return moneyReport(tx.db, { rootId, agentId, isSale: true, by, days, now: tx.now });
  },
});
