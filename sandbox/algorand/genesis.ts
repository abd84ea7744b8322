import { createHash } from 'node:crypto';

/** The network of the sandbox. */
export const GENESIS_ID = 'sandnet-v1';

/** Hash of this network alone, so that nothing signed for it counts on another. */
export const GENESIS_HASH = createHash('sha512-256').update('agent marketplace sandnet').digest();
