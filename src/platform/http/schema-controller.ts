import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';

/** The option with which Fastify checks schemas by zod and does not load Ajv, which takes a tenth of a start. */
export const schemaController = {
  compilersFactory: {
    buildValidator: () => validatorCompiler as never,
    buildSerializer: () => serializerCompiler as never,
  },
};
