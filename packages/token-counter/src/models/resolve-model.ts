import type { ModelRow } from './model-row.ts';
import { listModels } from './models.ts';

const rowById = new Map(listModels().flatMap((row) => [row.id, ...row.aliases].map((id) => [id, row] as const)));

/** Longest identifier that is examined, in characters. ARNs of models have some 150. */
const MAX_LENGTH = 512;

/** Prefix of a platform or region: `us.anthropic.`, `openrouter/~anthropic/`, `arn:aws:…/`, `anthropic:`. */
const PLATFORM_PREFIX = /^.*[/.:~](?:databricks-)?(?=claude-)|^databricks-(?=claude-)/;
/** Bedrock's revision (`:0`, `:0:200k`), OpenRouter's variant (`:beta`) or the context size of Claude Code (`[1m]`). */
const VARIANT_SUFFIX = /(?::[\da-z]*|\[\w+\])+$/;

/**
 * The parts of a name with dashes only: family, version before or after it, and then a date, a revision, `latest` or a
 * mode in any order.
 */
const NAME_PATTERN =
  /^claude(?:-(?<before>\d(?:-\d)?))?-(?<family>[a-z]+)(?:-(?<after>\d(?:-\d)?|preview)(?=-|$))?(?<rest>(?:-(?:\d{8}|v\d(?:-\d)?|latest|default|thinking|thought|fast|beta))*)$/;

interface NameParts {
  family: string;
  /** Major and minor version with a dash, without a minor version of 0. Empty if the name has no version. */
  version: string;
  date: string | undefined;
  isLatest: boolean;
}

/** The undated name on Vertex AI is the model of June 2024. Elsewhere it is the one of October. */
const VERTEX_JUNE = /(?:^vertex_ai\/|\/publishers\/anthropic\/models\/)claude-3-5-sonnet$/;

/**
 * Returns the row of a model id, an alias, a dated id, or a name as other platforms and tools spell it: Vertex AI, Bedrock
 * with its ARNs, OpenRouter, LiteLLM, Claude Code. Returns `undefined` if the name is of no known model.
 */
export function resolveModel(name: string): ModelRow | undefined {
  return rowById.get(name) ?? findBySpelling(name);
}

/** Returns the newest model of the family that an unknown name contains, or `undefined`. */
export function suggestModel(name: string): ModelRow | undefined {
  const family = /opus|sonnet|haiku|fable|mythos/i.exec(name.slice(0, MAX_LENGTH))?.[0].toLowerCase();
  return family === undefined ? undefined : listModels().find(({ id }) => id.includes(family));
}

function findBySpelling(name: string): ModelRow | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const lowerCase = name.trim().toLowerCase();
  const plainName = VERTEX_JUNE.test(lowerCase) ? 'claude-3-5-sonnet-20240620' : toPlainName(lowerCase);
  const row = rowById.get(plainName);
  if (row !== undefined) return row;
  const parts = parseName(plainName);
  return parts === undefined ? undefined : findByParts(parts);
}

/** Returns the name without prefix and suffix of a platform, with dashes for `.`, `@` and `_`. */
function toPlainName(lowerCase: string): string {
  return lowerCase.replace(VARIANT_SUFFIX, '').replace(PLATFORM_PREFIX, '').replaceAll(/[.@_]/g, '-');
}

function parseName(name: string): NameParts | undefined {
  const groups = NAME_PATTERN.exec(name)?.groups;
  if (groups === undefined || (groups['before'] !== undefined && groups['after'] !== undefined)) return undefined;
  const { family = '', rest = '' } = groups;
  return {
    family,
    version: (groups['before'] ?? groups['after'] ?? '').replace(/-0$/, ''),
    date: /\d{8}/.exec(rest)?.[0],
    isLatest: rest.includes('-latest'),
  };
}

/** Returns the newest row with these parts. A date must be one of its dates, unless no date of it is published. */
function findByParts({ family, version, date, isLatest }: NameParts): ModelRow | undefined {
  if (version === '' && !isLatest) return undefined;
  const rows = listModels().filter((row) => {
    const parts = parseName(row.id);
    return parts?.family === family && (version === '' || parts.version === version);
  });
  const [newest] = rows;
  if (newest === undefined || date === undefined) return newest;
  const dated = rows.find((row) => [row.id, ...row.aliases].some((id) => id.endsWith(`-${date}`)));
  const hasPublishedDate = [newest.id, ...newest.aliases].some((id) => /-\d{8}$/.test(id));
  return dated ?? (hasPublishedDate ? undefined : newest);
}
