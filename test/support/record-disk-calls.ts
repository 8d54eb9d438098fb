import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { vi } from 'vitest';
import type { TestScope } from './test-scope.ts';

/**
 * Records in order what synchronous calls sync to disk, rename and link, until the test ends: `sync PATH`,
 * `rename FROM TO` or `link FROM TO`. The calls have their effect.
 */
export function recordDiskCalls(t: TestScope): readonly string[] {
  const calls: string[] = [];
  const { openSync, fsyncSync, renameSync, linkSync } = fs;
  const pathsByDescriptor = new Map<number, string>();
  const spies = [
    vi.spyOn(fs, 'openSync').mockImplementation((path, ...options) => {
      const descriptor = openSync(path, ...options);
      pathsByDescriptor.set(descriptor, String(path));
      return descriptor;
    }),
    vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      fsyncSync(descriptor);
      calls.push(`sync ${pathsByDescriptor.get(descriptor)}`);
    }),
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      renameSync(from, to);
      calls.push(`rename ${String(from)} ${String(to)}`);
    }),
    vi.spyOn(fs, 'linkSync').mockImplementation((from, to) => {
      linkSync(from, to);
      calls.push(`link ${String(from)} ${String(to)}`);
    }),
  ];
  // Makes the spies visible to files that import these functions by name.
  syncBuiltinESMExports();
  t.onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
  return calls;
}
