import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';

/**
 * `npm run bench -- <name> [arguments]` runs bench/<name>.ts in a fresh process, so that no benchmark warms another.
 * Each checks first that what it compares is equal, measures its peers in the same run and prints medians and ratios.
 */
const names = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'main' && !name.endsWith('.test'))
  .sort();
const [name, ...rest] = process.argv.slice(2);
if (name !== undefined && names.includes(name)) {
  const child = spawn(process.execPath, [`${import.meta.dirname}/${name}.ts`, ...rest], { stdio: 'inherit' });
  child.on('close', (code) => (process.exitCode = code ?? 1));
} else {
  console.error(`usage: npm run bench -- ${names.join('|')} [arguments]`);
  process.exitCode = 2;
}
