// Passkeys: what the server asks the browser for, and the browser's answer, both as JSON.

import { fromBase64url, toBase64url } from '../base64url';
import { t } from '../say';
import { send } from '../shell/api';
import { Refusal } from '../shell/failing';
import type { PasskeyOptions } from '../protocol';

/** Whether the browser has passkeys; in an insecure context none has. */
export const hasPasskeys = 'PublicKeyCredential' in window;

/** Let the browser create a passkey as the server asks. */
export async function created(): Promise<unknown> {
  const { options } = await send<PasskeyOptions>('POST', 'passkeys/begin');
  const asked = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON?.(asked) ?? {
    ...(asked as unknown as PublicKeyCredentialCreationOptions),
    challenge: fromBase64url(asked.challenge),
    user: { ...asked.user, id: fromBase64url(asked.user.id) },
    excludeCredentials: (asked.excludeCredentials ?? []).map(({ id }) => ({
      type: 'public-key',
      id: fromBase64url(id),
    })),
  };
  return answer(() => navigator.credentials.create({ publicKey }));
}

/** Let the browser use a passkey that it has. */
export async function used(): Promise<unknown> {
  const { options } = await send<PasskeyOptions>('POST', 'passkeys/ask');
  const asked = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON?.(asked) ?? {
    ...(asked as unknown as PublicKeyCredentialRequestOptions),
    challenge: fromBase64url(asked.challenge),
    allowCredentials: [],
  };
  return answer(() => navigator.credentials.get({ publicKey }));
}

/** The browser's answer. A dialog closed by the person or never shown is the same refusal. */
async function answer(ask: () => Promise<Credential | null>): Promise<unknown> {
  let found: PublicKeyCredential | null;
  try {
    found = (await ask()) as PublicKeyCredential | null;
  } catch (error) {
    const here = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new Refusal(t(here ? 'page.passkey.here' : 'page.passkey.none'));
  }
  if (!found) throw new Refusal(t('page.passkey.none'));
  return found.toJSON?.() ?? written(found);
}

/** The same as `toJSON()`, which older browsers and some password managers lack. */
function written({ id, rawId, type, response }: PublicKeyCredential): unknown {
  const parts = response as Partial<
    AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
  >;
  const names = [
    'clientDataJSON',
    'attestationObject',
    'authenticatorData',
    'signature',
    'userHandle',
  ] as const;
  const found = names.flatMap((name) => (parts[name] ? [[name, text(parts[name])]] : []));
  return { id, rawId: text(rawId), type, response: Object.fromEntries(found) };
}

const text = (bytes: ArrayBuffer) => toBase64url(new Uint8Array(bytes));
