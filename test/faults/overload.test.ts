// test:all: an API of its own is overloaded for seconds.
import { overload } from './measured/overload.ts';
import { NO_GOALS } from './stalls.ts';

overload(NO_GOALS);
