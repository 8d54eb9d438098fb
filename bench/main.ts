import { globSync } from 'node:fs';
import { runFile } from '../tools/run/run-file.ts';

/**
 * `npm run bench -- <name> [arguments]` runs bench/<name>.ts in a new process, so that no benchmark warms up another.
 * Each benchmark first checks that the compared results are equal. It measures its peers in the same run and prints
 * medians and ratios. Whether a goal is met is printed and depends on the machine; the exit code is 0 once all is
 * measured.
 */
const names = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'main' && !/\.(test|d)$/.test(name))
  .sort();
const [name, ...rest] = process.argv.slice(2);
if (name !== undefined && names.includes(name)) {
  process.exitCode = await runFile(`bench/${name}.ts`, rest);
} else {
  console.error(`usage: npm run bench -- ${names.join('|')} [arguments]`);
  process.exitCode = name === '--help' ? 0 : 2;
}
