// Loaded before the project's own scripts: node --import ./bin/pinned.mjs tools/check.ts
import { endWithParent, isPinnedEnough, runWithPinnedNode } from './pinned-node.mjs';

if (isPinnedEnough()) endWithParent();
else await runWithPinnedNode(process.argv[1], process.argv.slice(2));
