import { z } from 'zod';
import { parseJsonString } from './read-body.ts';

const base64url = (maxLength: number) =>
  z
    .string({ error: 'must be base64url text.' })
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'must be base64url text.' })
    .max(maxLength, { error: `must be at most ${maxLength} characters.` });

// An identifier has at most 1023 bytes.
const credentialId = base64url(1_364);
const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', { error: 'must be public-key.' }),
};

/** Returns a field with the JSON of an authenticator's response, as a form sends it, or with the object. */
const jsonField = <T extends z.ZodType>(schema: T) => z.preprocess(parseJsonString, schema);

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** The response of an authenticator that has created a passkey. Unknown transports are left out. */
export const registrationField = jsonField(
  z.object(
    {
      ...credential,
      response: z.object({
        clientDataJSON: base64url(8_192),
        attestationObject: base64url(32_768),
        transports: z
          .array(z.string())
          .max(20)
          .optional()
          .transform((given) => transports.filter((transport) => given?.includes(transport))),
      }),
    },
    { error: 'must be the JSON of a credential.' },
  ),
);
export type RegistrationCredential = z.infer<typeof registrationField>;

/** The response of an authenticator that has signed a challenge. */
export const assertionField = jsonField(
  z.object(
    {
      ...credential,
      response: z.object({
        clientDataJSON: base64url(8_192),
        authenticatorData: base64url(8_192),
        signature: base64url(8_192),
        userHandle: base64url(128).nullish(),
      }),
    },
    { error: 'must be the JSON of a credential.' },
  ),
);
export type AssertionCredential = z.infer<typeof assertionField>;
