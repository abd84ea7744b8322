/**
 * The queues by workload, so that slow work never delays quick work. money: jobs that move money
 * without outside requests; network: outside requests for one call; bulk: child jobs of large
 * calls; probes: continuous checks of outside systems; timers: jobs started by the clock.
 */
export const QUEUES = ['money', 'network', 'bulk', 'probes', 'timers'] as const;
export type QueueName = (typeof QUEUES)[number];
