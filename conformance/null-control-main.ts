// `npm run control`: the negative control on all cases of our own.

import { runNullControl } from './null-control.ts';

const { run, wrong } = runNullControl(0, 1);
for (const name of wrong) console.log(`passes with nothing drawn: ${name}`);
console.log(`${run} cases on the backend that draws nothing, ${wrong.length} picture cases pass wrongly`);
process.exitCode = wrong.length > 0 ? 1 : 0;
