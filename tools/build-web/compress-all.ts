import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Writes a .br and a .gz beside each text file, so that no request waits for a compressor. `quality` is that of brotli,
 * from 0 to 11, the smallest and slowest.
 */
export async function compressAll(folder: string, quality = 11): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    /\.(js|css|html|svg|json|webmanifest)$/.test(file),
  );
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(folder, file));
      const [br, gz] = await Promise.all([
        brotli(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
        zip(bytes, { level: 9 }),
      ]);
      await Promise.all([writeFile(join(folder, `${file}.br`), br), writeFile(join(folder, `${file}.gz`), gz)]);
    }),
  );
}
