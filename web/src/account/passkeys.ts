/** Passkeys: what the browser is asked, and its answers as the server takes them. */
import { api } from '../api/http';
import type { Me, PasskeyCard, PasskeyProof } from '../api/generated/http';

/** ES256, EdDSA and RS256: what the server can check, the best first. */
const ALGORITHMS = [-7, -8, -257];

/** Whether this browser can have passkeys here: it takes https, or this very machine. */
export function passkeysPossible(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(location.hostname);
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function text(data: ArrayBuffer): string {
  const plain = String.fromCharCode(...new Uint8Array(data));
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Make a passkey on a device and have the server keep it; null if whoever was asked thought better of it. */
export async function addPasskey(label: string): Promise<PasskeyCard | null> {
  const wanted = await api.passkeyToAdd();
  const made = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: bytes(wanted.challenge),
        rp: { name: 'Meldroom' },
        user: { id: bytes(wanted.user ?? ''), name: wanted.account ?? '', displayName: wanted.account ?? '' },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: (wanted.known ?? []).map((id) => ({ type: 'public-key', id: bytes(id) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
      },
    }),
  );
  if (!made) return null;
  const response = made.response as AuthenticatorAttestationResponse;
  return api.addPasskey({
    label,
    credential: text(made.rawId),
    client_data: text(response.clientDataJSON),
    authenticator_data: text(response.getAuthenticatorData()),
    public_key: text(response.getPublicKey() ?? new ArrayBuffer(0)),
  });
}

/** Sign in with a passkey; null if whoever was asked thought better of it. */
export async function signInWithPasskey(): Promise<Me | null> {
  const proof = await shown();
  return proof && api.signInWithPasskey(proof);
}

/** Show a passkey of the account again; false if whoever was asked thought better of it. */
export async function proveByPasskey(): Promise<boolean> {
  const proof = await shown();
  if (proof) await api.proveByPasskey(proof);
  return proof !== null;
}

async function shown(): Promise<PasskeyProof | null> {
  const { challenge } = await api.passkeyWanted();
  const found = await asked(() =>
    navigator.credentials.get({ publicKey: { challenge: bytes(challenge), userVerification: 'required' } }),
  );
  if (!found) return null;
  const response = found.response as AuthenticatorAssertionResponse;
  return {
    credential: text(found.rawId),
    client_data: text(response.clientDataJSON),
    authenticator_data: text(response.authenticatorData),
    signature: text(response.signature),
  };
}

async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    return (await ask()) as PublicKeyCredential | null;
  } catch (failure) {
    if (failure instanceof DOMException && ['NotAllowedError', 'InvalidStateError'].includes(failure.name)) return null;
    throw failure;
  }
}
