import { environmentWith } from '../../shared/platform/config/environment.ts';
import { NotSwept } from './keys.ts';
import { sweep } from './sweep.ts';

// `npm run sweep`; the third argument is the name of the program.
try {
  await sweep(process.argv.slice(3), environmentWith({}), (line) => console.log(line));
} catch (error) {
  console.error(error instanceof NotSwept ? error.message : (error as Error).stack);
  process.exitCode = 1;
}
