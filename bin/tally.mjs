#!/usr/bin/env -S node --
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { endWithParent, isPinnedEnough, runWithPinnedNode } from './pinned-node.mjs';

const args = process.argv.slice(2);
const sources = new URL('../cli/main.ts', import.meta.url);
const build = new URL('../dist/server/tally.js', import.meta.url);
// A release has no tools and runs its build, as does "npm start", which has just built it. Other commands of a clone run
// the sources as they are.
const isBuilt =
  process.env.npm_lifecycle_event === 'start' || !existsSync(new URL('../tools/build.ts', import.meta.url));
if (!existsSync(sources)) {
  // A packed copy: Node runs no TypeScript below node_modules.
  console.error(
    'This package contains only the token counter (import it from "tally/token-counter"); the program runs ' +
      'from a clone of the repository.',
  );
  process.exitCode = 2;
} else if (isPinnedEnough()) {
  if (args[0] === 'start' || args[0] === 'worker') endWithParent();
  const isBuildUsed = isBuilt && existsSync(build);
  // Stack traces name the lines of the sources.
  if (isBuildUsed) process.setSourceMapsEnabled(true);
  // Compiled code is kept beside the installed code: loading takes 195 ms rather than 360. Where that cannot be
  // written, it is left out.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tally', import.meta.url)));
  const { processIo, runProgram } = await import(isBuildUsed ? build : sources);
  process.exitCode = await runProgram(args, processIo());
} else {
  await runWithPinnedNode(fileURLToPath(import.meta.url), args);
}
