import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

const font = createRequire(import.meta.url).resolve(
  '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2',
);

/**
 * A profile whose pages have the font from their beginning: a page does without one that comes late, so that on a busy
 * machine some pictures would show the system's.
 */
export async function pictureContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addInitScript(
    (data) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.codePointAt(0)!);
      document.fonts.add(new FontFace('Hanken Grotesk Variable', bytes.buffer, { weight: '100 900' }));
    },
    await readFile(font, 'base64'),
  );
  return context;
}
