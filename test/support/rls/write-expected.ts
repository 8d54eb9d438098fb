import { writeFileSync } from 'node:fs';
import { EXPECTED, openRightsFixture } from './rights-fixture.ts';
import { printRights } from './rights.ts';

/** Writes the table of rights as the migrations make them; the diff is for a person to judge. */
const fixture = await openRightsFixture();
try {
  writeFileSync(EXPECTED, printRights(await fixture.findRightsAfter(undefined)));
} finally {
  await fixture.close();
}
