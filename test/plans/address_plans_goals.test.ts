// test:goals: it measures how long the addresses of a million agents are read.
import { GOALS } from '../faults/stalls.ts';
import { addressPlans } from './address_plans.ts';

addressPlans(GOALS);
