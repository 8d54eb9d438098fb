/** A request under a name; `request` lacks its model where it is to be counted for several. */
export interface Named {
  name: string;
  request: Body;
}

export type Body = Readonly<Record<string, unknown>>;
export type Block = Readonly<Record<string, unknown>>;

export const text = (content: string, more: Block = {}): Block => ({ type: 'text', text: content, ...more });

export const user = (content: string | readonly Block[]): Block => ({ role: 'user', content });

export const assistant = (content: string | readonly Block[]): Block => ({ role: 'assistant', content });

/** A request of these messages, and more fields of the body where it has them. */
export const of = (name: string, messages: readonly Block[], more: Body = {}): Named => ({
  name,
  request: { messages, ...more },
});

/** The same request under its name for each of these models. */
export const forModels = ({ name, request }: Named, models: readonly string[]): Named[] =>
  models.map((model) => ({ name: `${name}, ${model}`, request: { model, ...request } }));

/** Takes the items one after the other, for ever, so that all of them come up among many requests. */
export function inTurn<T>(items: readonly T[]): () => T {
  let next = 0;
  return () => items[next++ % items.length]!;
}
