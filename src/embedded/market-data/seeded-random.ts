/** Returns a 32-bit hash of a text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mixBits(hash);
}

function mixBits(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns a number in (0, 1) that depends only on the arguments. */
export function drawUniform(seed: number, a: number, b = 0): number {
  return (mixBits(mixBits(seed + Math.imul(a + 1, 0x9e3779b1)) + Math.imul(b + 1, 0x85ebca77)) + 0.5) / 4_294_967_296;
}

/** Returns a draw from the standard normal distribution that depends only on the arguments. */
export function drawNormal(seed: number, a: number, b = 0): number {
  return (
    Math.sqrt(-2 * Math.log(drawUniform(seed, a, 2 * b))) * Math.cos(2 * Math.PI * drawUniform(seed, a, 2 * b + 1))
  );
}
