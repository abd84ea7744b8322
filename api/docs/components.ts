import type { TSchema } from '../../shared/kernel/schema.ts';

/** A JSON Schema, as data. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
}

/** The `components.schemas` of a document. */
export interface Components {
  readonly schemas: Readonly<Record<string, Schema>>;
  /**
   * The same schema with a reference in place of each object that names its fields. An object
   * without a name of its own is named after where it is: `name`, and the fields that lead to it.
   */
  refer(schema: TSchema | Schema, name: string): Schema;
  /** Adds a schema as it is, and returns a reference to it. */
  add(name: string, schema: Schema): Schema;
}

export function openComponents(): Components {
  const schemas: Record<string, Schema> = {};

  /** Fails if one name stands for two shapes. */
  function add(name: string, schema: Schema): Schema {
    const known = schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two shapes are called ${name}: give one of them another name`);
    }
    schemas[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  function refer({ title, ...schema }: Schema, name: string): Schema {
    // Most validators divide, and find that 0.0011 is no multiple of 0.000001. Ours does not.
    const { multipleOf: _, description, properties, items, anyOf, ...rest } = schema;
    const described = description === undefined ? {} : { description };
    if (properties && Object.keys(properties).length > 0) {
      const own = title ?? name;
      const fields = Object.entries(properties).map(([field, inner]) => [
        field,
        refer(inner, own + pascal(field, inner.type === 'array')),
      ]);
      return { ...add(own, { ...rest, properties: Object.fromEntries(fields) }), ...described };
    }
    return {
      ...rest,
      ...(properties && { properties }),
      ...(items && { items: refer(items, name) }),
      ...(anyOf && { anyOf: anyOf.map((one) => refer(one, name)) }),
      ...described,
    };
  }
  return { schemas, add, refer: (schema, name) => refer(schema as Schema, name) };
}

/** Name of a component: `rate_limit` is RateLimit; an item of the list `entries` is Entry. */
export function pascal(field: string, isList = false): string {
  const one = isList ? field.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : field;
  return one.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
