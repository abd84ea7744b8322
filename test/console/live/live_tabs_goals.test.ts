// test:goals: it measures how long purchases take beside a hundred open pages.
import { GOALS } from '../../faults/stalls.ts';
import { liveTabs } from './live_tabs.ts';

liveTabs(GOALS);
