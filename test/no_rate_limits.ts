/** Settings for tests whose agents call more often than an agent may. */
export const NO_RATE_LIMITS = {
  RATE_LIMIT_FREE: 'off',
  RATE_LIMIT_BASIC: 'off',
  RATE_LIMIT_PRO: 'off',
  RATE_LIMIT_PUBLIC: 'off',
} as const;
