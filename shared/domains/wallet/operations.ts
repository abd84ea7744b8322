import { getWallet } from './get_wallet.ts';
import { giveGoodwill } from './give_goodwill.ts';
import { rollUpMoney } from './reports/roll_up_money.ts';
import { salesReport } from './reports/sales_report.ts';
import { spendReport } from './reports/spend_report.ts';
import { walletStatement } from './wallet_statement.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  getWallet,
  walletStatement,
  spendReport,
  salesReport,
  giveGoodwill,
  // Started by timers and by other operations.
  rollUpMoney,
] as const;
