import type { HttpApp } from '../http/app-type.ts';
import type { Slice } from '../slice.ts';
import { addAssistantRoutes, type AssistantDependencies } from './routes.ts';

/** Wires the slice: the member's data as tools. */
export const createAssistant = (deps: AssistantDependencies) =>
  ({ name: 'assistant', register: (app: HttpApp): void => addAssistantRoutes(app, deps) }) satisfies Slice;
