// test:all: a hundred pages are open beside purchases.
import { NO_GOALS } from '../../faults/stalls.ts';
import { liveTabs } from './live_tabs.ts';

liveTabs(NO_GOALS);
