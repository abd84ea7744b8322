import type { Party, Scene } from './scene.ts';

/** What one operation needs, and how a valid call of it is answered. */
export interface Right {
  readonly route: string;
  readonly access: 'public' | 'any' | 'read' | 'buy' | 'sell' | 'owner' | 'operator';
  /** False: no tool of that name may exist. */
  readonly isTool?: false;
  /** A call about the objects of the scene, new for each check. */
  readonly input?: (scene: Scene, party: Party) => object | Promise<object>;
  /** The answer to a party that holds the scope; "ok" if absent. */
  readonly answers?: Partial<Record<Party, string>>;
  /** Of access owner: a child may call it too. */
  readonly byChildren?: true;
  /** The scope that a party needs, where that depends on the side. */
  readonly needs?: Partial<Record<Party, string>>;
  /**
   * The field that names another's object, which does not exist for a party that gets not_found.
   */
  readonly object?: string;
}
