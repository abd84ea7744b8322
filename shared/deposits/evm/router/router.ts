import compiled from './router.json' with { type: 'json' };

/** router.sol, compiled; a test compiles it again and compares. */
export const ROUTER: {
  readonly abi: readonly object[];
  /** What makes it, without the recipient, which follows as one word. */
  readonly bytecode: string;
  /** What is at its address then, with zeros where the recipient is. */
  readonly deployed: string;
} = compiled;
