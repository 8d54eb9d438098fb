/** A request under a name; `request` lacks its model where it is to be counted for several. */
export interface NamedRequest {
  name: string;
  request: Body;
}

export type Body = Readonly<Record<string, unknown>>;
export type Block = Readonly<Record<string, unknown>>;

export const createText = (content: string, extra: Block = {}): Block => ({ type: 'text', text: content, ...extra });

export const createUserMessage = (content: string | readonly Block[]): Block => ({ role: 'user', content });

export const createAssistantMessage = (content: string | readonly Block[]): Block => ({ role: 'assistant', content });

/** A request of these messages, and more fields of the body where it has them. */
export const toNamedRequest = (name: string, messages: readonly Block[], extra: Body = {}): NamedRequest => ({
  name,
  request: { messages, ...extra },
});

/** The same request under its name for each of these models. */
export const forModels = ({ name, request }: NamedRequest, models: readonly string[]): NamedRequest[] =>
  models.map((model) => ({ name: `${name}, ${model}`, request: { model, ...request } }));

/** Takes the items one after the other, for ever, so that all of them come up among many requests. */
export function createRotation<T>(items: readonly T[]): () => T {
  let nextIndex = 0;
  return () => items[nextIndex++ % items.length]!;
}
