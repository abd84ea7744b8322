import { storeSchemas } from './stripe_schemas.ts';

// `npm run build:stripe`, after the SDK's version or stripe_parameters.ts changed.
storeSchemas();
