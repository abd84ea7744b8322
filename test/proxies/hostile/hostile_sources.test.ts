// test:all: thirteen sources send 63 MB each.
import { NO_GOALS } from '../../faults/stalls.ts';
import { hostileSources } from './hostile_sources.ts';

hostileSources(NO_GOALS);
