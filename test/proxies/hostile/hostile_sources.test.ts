// test:all: thirteen sources send megabytes without end.
import { NO_GOALS } from '../../faults/stalls.ts';
import { hostileSources } from './hostile_sources.ts';

hostileSources(NO_GOALS);
