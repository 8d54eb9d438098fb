import { writeFileSync } from 'node:fs';
import { EXPECTED, openRightsFixture } from './rights-fixture.ts';
import { printRights } from './rights.ts';

/** Writes the table of rights that the migrations create. A person reviews the diff. */
export async function writeExpectedRights(): Promise<void> {
  const fixture = await openRightsFixture();
  try {
    writeFileSync(EXPECTED, printRights(await fixture.findRightsAfter(undefined)));
  } finally {
    await fixture.close();
  }
}
