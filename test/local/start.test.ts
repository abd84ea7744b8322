// test:all: the whole of npm start is launched, killed and stopped.
import { NO_GOALS } from '../faults/stalls.ts';
import { start } from './start.ts';

start(NO_GOALS);
