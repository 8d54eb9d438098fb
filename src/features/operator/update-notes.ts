import { readFileSync } from 'node:fs';
import { readVersion } from '../../platform/http/version.ts';
import type { UpdateNotes } from './contract.ts';

/** Returns what CHANGELOG.md of this installation says about its version. It has no groups if the file is missing. */
export function readUpdateNotes(): UpdateNotes {
  const version = readVersion();
  return { version, groups: parseUpdateNotes(readChangelog(), version) };
}

function readChangelog(): string {
  try {
    return readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  } catch {
    return '';
  }
}

/**
 * Returns the groups of entries of a version, from `### Name` and `- entry` below `## [version]`. A build between
 * versions has its entries below `## [Unreleased]`.
 */
export function parseUpdateNotes(changelog: string, version: string): UpdateNotes['groups'] {
  const sections = changelog.split(/^## /m);
  const find = (name: string) => sections.find((text) => text.startsWith(`[${name}]`));
  const [, ...groups] = (find(version) ?? find('Unreleased') ?? '').split(/^### /m);
  return groups.map((text) => {
    const [name = '', ...lines] = text.split('\n');
    return { name: name.trim(), entries: lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2)) };
  });
}
