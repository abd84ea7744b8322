/** Tiers of a tree of agents, lowest first: a higher tier may make more calls. */
export const TIERS = ['free', 'basic', 'pro'] as const;
export type Tier = (typeof TIERS)[number];

/** The window of the limits in config.api.rateLimits. */
export const RATE_WINDOW_SECONDS = 60;
