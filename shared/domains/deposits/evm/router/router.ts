import compiled from './router.json' with { type: 'json' };

/** router.sol, compiled; a test compiles it again and compares. */
export const ROUTER: {
  readonly abi: readonly object[];
  /** Creation code, to be followed by the recipient as one word. */
  readonly bytecode: string;
  /** Deployed code, with zeros in place of the recipient. */
  readonly deployed: string;
} = compiled;
