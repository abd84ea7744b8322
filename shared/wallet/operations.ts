import { rollUpMoney } from './reports/roll_up_money.ts';
import { salesReport } from './reports/sales_report.ts';
import { spendReport } from './reports/spend_report.ts';
import { walletStatement } from './wallet_statement.ts';

/** Those beyond the specification's. */
export const WALLET = [walletStatement, spendReport, salesReport] as const;

/** Started by timers. */
export const WALLET_TIMERS = [rollUpMoney] as const;
