/** Agents that `npm start` makes for a demo: what they do is no step of anybody. */
export const DEMO_AGENTS = ['demo-shop', 'demo-clerk', 'demo-tutor'] as const;
