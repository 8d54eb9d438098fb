/** Loaded before a test: puts the text of the mutant in LOOSENED in the place of the source's own. */
import { registerHooks } from 'node:module';

const { file, find, put } = JSON.parse(process.env['LOOSENED'] ?? '{}') as { file?: string; find: string; put: string };

if (file !== undefined)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(file)) return loaded;
      const source = Buffer.from(loaded.source as string).toString();
      if (!source.includes(find)) throw new Error(`${file} does not hold: ${find}`);
      return { ...loaded, source: source.replace(find, () => put) };
    },
  });
