/** A PNG of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** First bytes of the other raster formats. */
export const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
export const GIF = Buffer.from('GIF89a');
export const WEBP = Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1');
