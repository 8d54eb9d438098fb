import { writeFileSync } from 'node:fs';
import { EXPECTED, openArena } from './arena.ts';
import { printRights } from './rights.ts';

/** Writes the table of rights as the migrations make them; the diff is for a person to judge. */
const arena = await openArena();
try {
  writeFileSync(EXPECTED, printRights(await arena.rightsAfter(undefined)));
} finally {
  await arena.close();
}
