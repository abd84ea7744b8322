// test:all: processes end in five situations, with servers of their own that are killed.
import { stoppedProcesses } from './measured/stop.ts';
import { NO_GOALS } from './stalls.ts';

stoppedProcesses(NO_GOALS);
