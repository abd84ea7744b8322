// test:all: ten thousand blocks are made and searched beside purchases.
import { NO_GOALS } from '../../faults/stalls.ts';
import { catchUp } from './catch_up.ts';

catchUp(NO_GOALS);
