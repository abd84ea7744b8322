// test:all: ten thousand requests to all operations.
import { NO_GOALS } from '../../faults/stalls.ts';
import { fuzz } from './fuzz.ts';

fuzz(NO_GOALS);
