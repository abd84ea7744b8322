import { TestPlatform, type Options } from '../../harness.ts';

/** Settings of a marketplace of play money, whose time can be moved. */
export const PLAY_MONEY = { SANDBOX: 'base' } as const;

export const openSandbox = ({ env, ...options }: Options = {}): Promise<TestPlatform> =>
  TestPlatform.open({ ...options, env: { ...PLAY_MONEY, ...env } });
