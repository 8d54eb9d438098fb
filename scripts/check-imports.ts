import { resolve } from 'node:path';
import { inspect } from './house/inspect.ts';
import { inOneLine } from './house/problem.ts';
import type { Sizes } from './house/sizes.ts';

/** `node scripts/check-imports.ts [root]`: prints each broken rule of the house; exit code 1 where there is one. */
const root = resolve(process.argv[2] ?? `${import.meta.dirname}/..`);
const { problems, sizes, functions } = inspect(root);
for (const problem of problems) console.error(inOneLine(problem));
const inLines = ({ count, median, p90, longest }: Sizes): string =>
  `${count}, median ${median} lines, p90 ${p90}, longest ${longest}`;
console.log(`${problems.length} broken rules; files ${inLines(sizes)}; functions ${inLines(functions)}`);
process.exitCode = problems.length > 0 ? 1 : 0;
