// test:all: a million addresses are written and read.
import { NO_GOALS } from '../faults/stalls.ts';
import { addressPlans } from './address_plans.ts';

addressPlans(NO_GOALS);
