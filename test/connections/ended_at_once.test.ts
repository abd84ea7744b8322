import { NO_GOALS } from '../faults/stalls.ts';
import { endedAtOnce } from './ended_at_once.ts';

endedAtOnce(NO_GOALS);
