import { resolve } from 'node:path';
import { inspect } from './house/inspect.ts';
import { inOneLine } from './house/problem.ts';

/** `node scripts/check-imports.ts [root]`: prints each broken rule of the house; exit code 1 where there is one. */
const root = resolve(process.argv[2] ?? `${import.meta.dirname}/..`);
const { problems, sizes } = inspect(root);
for (const problem of problems) console.error(inOneLine(problem));
console.log(
  `${problems.length} broken rules; ${sizes.files} files, median ${sizes.median} lines, p90 ${sizes.p90}, longest ${sizes.longest}`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
