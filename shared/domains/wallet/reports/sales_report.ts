import { visibleAgent } from '../../agents/tree/below.ts';
import { operation } from '../../../kernel/operation.ts';
import { Id, Input, OneOf, Type } from '../../../kernel/schema.ts';
import { DAYS, MoneyReport, moneyReport, ReportDays } from './money_report.ts';

export const salesReport = operation({
  name: 'sales_report',
  title: 'Report earnings',
  summary:
    'Sums up earnings of you and agents below you by sales and work, fees deducted, by the UTC ' +
    'day of the payment, and by product, category or agent. Free.',
  phrasings: `
    how much did I earn; revenue and income from sales; best selling products, turnover; income
    of last week; what did I make from selling; top products by revenue; earnings after fees;
    how are my sales going; profit by category; how much did I make; my income; business
    results; money earned as worker or seller; sales statistics; revenue per product; earnings
    summary; which product sells best; how well does my shop do; what have I made so far; how is
    business; my turnover; what my work and sales brought in; which item brings the most;
    monthly income`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/wallet/sales',
  refusals: ['not_found'],
  input: Input({
    days: ReportDays,
    by: Type.Optional(
      OneOf(['agent', 'category', 'product'], 'Grouping of parts; product if absent.'),
    ),
    agent_id: Type.Optional(Id('Only this agent below yours and those below it.')),
  }),
  output: MoneyReport,

  async handle(tx, { days = DAYS, by = 'product', agent_id }) {
    const agentId = await visibleAgent(tx, agent_id);
    const { rootId } = tx.caller;
    return moneyReport(tx.db, { rootId, agentId, isSale: true, by, days, now: tx.now });
  },
});
