import type { Party, Scene } from '../scene.ts';

/** Requirements of one operation, and how a valid call of it is answered. */
export interface Right {
  readonly route: string;
  readonly access: 'public' | 'any' | 'read' | 'buy' | 'sell' | 'owner' | 'operator';
  /** False: no tool of that name may exist. */
  readonly isTool?: false;
  /** A call about the objects of the scene, new for each check. */
  readonly input?: (scene: Scene, party: Party) => object | Promise<object>;
  /** The answer to a party that holds the scope; "ok" if absent. */
  readonly answers?: Partial<Record<Party, string>>;
  /** Whether a child may call it too, if its access is owner. */
  readonly byChildren?: true;
  /** The scope that a party needs, where that depends on the side. */
  readonly needs?: Partial<Record<Party, string>>;
  /**
   * The field that names another's object, which does not exist for a party that gets not_found.
   */
  readonly object?: string;
  /** Few may be open at a time: the calls are made one after the other. */
  readonly isLimited?: true;
  /** The same operation about other kinds of objects, by the name of the kind. */
  readonly also?: Readonly<Record<string, Pick<Right, 'input' | 'answers' | 'object'>>>;
}

/** An operation, about one kind of object. */
interface Case extends Right {
  readonly tool: string;
  /** For the name of a test. */
  readonly title: string;
}

export const casesOf = (rights: Readonly<Record<string, Right>>): readonly Case[] =>
  Object.entries(rights).flatMap(([tool, { also = {}, ...right }]) => [
    { tool, title: tool, ...right },
    ...Object.entries(also).map(([kind, { input, answers, object }]) => ({
      tool,
      title: `${tool} about ${kind}`,
      route: right.route,
      access: right.access,
      ...(right.isTool === false && { isTool: right.isTool }),
      ...(input && { input }),
      ...(answers && { answers }),
      ...(object && { object }),
    })),
  ]);
