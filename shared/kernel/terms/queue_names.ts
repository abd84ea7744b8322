/**
 * The queues, by workload, so that slow work never holds up quick work. money: what moves money and
 * asks nobody; network: what asks outside systems, for one call; bulk: the child jobs of large
 * calls; probes: endless checks of outside systems; timers: by the clock.
 */
export const QUEUES = ['money', 'network', 'bulk', 'probes', 'timers'] as const;
export type QueueName = (typeof QUEUES)[number];
