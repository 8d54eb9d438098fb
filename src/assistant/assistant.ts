import type { HttpApp } from '../http/app-type.ts';
import type { Guards } from '../identity/guards.ts';
import type { Slice } from '../slice.ts';
import { addAssistantRoutes } from './routes.ts';
import { bindTools, type FactSources } from './tools/tool-context.ts';

interface AssistantDependencies {
  guards: Guards;
  database: FactSources['database'];
  facts: Omit<FactSources, 'database'>;
}

/** Wires the slice: the member's data as tools, and what answers by them. */
export function createAssistant({ guards, database, facts }: AssistantDependencies) {
  const toolsOf = bindTools({ database, ...facts });
  return {
    name: 'assistant',
    register: (app: HttpApp): void => addAssistantRoutes(app, { guards, toolsOf }),
  } satisfies Slice;
}
