/**
 * `npm run lab` lists the proofs and measurements; `npm run lab -- <name> [arguments]` runs one in a process of its own
 * and ends as it ended. They are no part of `npm test`: they take minutes, need recordings or packages of their own, or
 * write files.
 */
import { experiments } from './lab/experiments.ts';
import { runFile } from './run/run-file.ts';

const [name, ...args] = process.argv.slice(2);
const experiment = name !== undefined && Object.hasOwn(experiments, name) ? experiments[name] : undefined;
if (experiment) {
  process.exitCode = await runFile(experiment.file, [...(experiment.args ?? []), ...args], experiment.env);
} else if (name === undefined) {
  console.log('npm run lab -- <name> [arguments]\n');
  for (const [each, { does, takes = '' }] of Object.entries(experiments))
    console.log(`  ${`${each} ${takes}`.trimEnd()}\n      ${does}`);
} else {
  console.error(`There is no proof or measurement "${name}"; "npm run lab" lists them.`);
  process.exitCode = 2;
}
