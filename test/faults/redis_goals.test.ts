// test:goals: it measures how soon calls are answered again.
import { brokenRedis } from './measured/redis.ts';
import { GOALS } from './stalls.ts';

brokenRedis(GOALS);
