/** A PNG of one pixel, as any provider might serve it. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The beginnings of the other raster types. */
export const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
export const GIF = Buffer.from('GIF89a');
export const WEBP = Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1');
