import { NotPaid } from './market.ts';
import { pay } from './pay.ts';

// `npm run pay`; the third argument is the name of the program.
try {
  await pay(process.argv.slice(3), (line) => console.log(line));
} catch (error) {
  console.error(error instanceof NotPaid ? error.message : (error as Error).stack);
  process.exitCode = 1;
}
