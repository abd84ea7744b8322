// test:all: a Redis of its own is killed and frozen.
import { brokenRedis } from './measured/redis.ts';
import { NO_GOALS } from './stalls.ts';

brokenRedis(NO_GOALS);
