import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

type Validators = Pick<AjvJsonSchemaValidator, 'getValidator'>;

const known = new Map<string, ReturnType<Validators['getValidator']>>();

/**
 * Reads the schema of a tool when its first answer comes, and once a process. The client's own
 * reads those of all tools for each list of them, which takes it most of a second.
 */
export const lazySchemas: Validators = {
  getValidator(schema) {
    const text = JSON.stringify(schema);
    return (answer) => {
      const validate = known.get(text) ?? new AjvJsonSchemaValidator().getValidator(schema);
      known.set(text, validate);
      return validate(answer) as never;
    };
  },
};
