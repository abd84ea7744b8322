/**
 * What is asked of the outside world, implemented in workers/gateways. No operation asks anything
 * yet; each rail, proxy source and mail server will be a field here.
 */
export type Gateways = object;
