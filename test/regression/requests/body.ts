/** A named request. `request` has no model if it is counted for several models. */
export interface NamedRequest {
  name: string;
  request: Body;
}

export type Body = Readonly<Record<string, unknown>>;
export type Block = Readonly<Record<string, unknown>>;

export const createText = (content: string, extra: Block = {}): Block => ({ type: 'text', text: content, ...extra });

export const createUserMessage = (content: string | readonly Block[]): Block => ({ role: 'user', content });

export const createAssistantMessage = (content: string | readonly Block[]): Block => ({ role: 'assistant', content });

/** Creates a request of these messages, with optional further fields. */
export const toNamedRequest = (name: string, messages: readonly Block[], extra: Body = {}): NamedRequest => ({
  name,
  request: { messages, ...extra },
});

/** Returns the request for each of these models. */
export const forModels = ({ name, request }: NamedRequest, models: readonly string[]): NamedRequest[] =>
  models.map((model) => ({ name: `${name}, ${model}`, request: { model, ...request } }));

/** Returns a function that cycles through the items, so that many requests use all of them. */
export function createRotation<T>(items: readonly T[]): () => T {
  let nextIndex = 0;
  return () => items[nextIndex++ % items.length]!;
}
