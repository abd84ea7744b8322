// test:goals: it measures how long processes take to end.
import { stoppedProcesses } from './measured/stop.ts';
import { GOALS } from './stalls.ts';

stoppedProcesses(GOALS);
