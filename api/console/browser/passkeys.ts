/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/*
 * A button with `data-passkey` holds the options for the person's device; the answer goes with the
 * form of the button, in the field beside it. Loaded by the pages that have such a button.
 */

const NONE_USED = 'No passkey was used. Try again, or go on without one.';
const HAS_ONE =
  'This device has a passkey of this account already. Nothing was added: use another device.';

async function offer(button: HTMLButtonElement): Promise<void> {
  button.hidden = false;
  button.addEventListener('click', () => void use(button));
  if (button.dataset.autofill === undefined || !(await browserSupportsWebAuthnAutofill())) return;
  await use(button, { useBrowserAutofill: true });
}

async function use(button: HTMLButtonElement, { useBrowserAutofill = false } = {}): Promise<void> {
  const form = button.form!;
  const asked = JSON.parse(button.dataset.passkey!) as object;
  // The fields for a new passkey are checked before the device is asked.
  const isNew = button.dataset.new !== undefined;
  if (isNew && !form.reportValidity()) return;
  try {
    const answer = isNew
      ? await startRegistration({ optionsJSON: asked as PublicKeyCredentialCreationOptionsJSON })
      : await startAuthentication({
          optionsJSON: asked as PublicKeyCredentialRequestOptionsJSON,
          useBrowserAutofill,
        });
    form.querySelector<HTMLInputElement>('[data-passkey-answer]')!.value = JSON.stringify(answer);
    // The form is not validated: a password is not needed then.
    form.submit();
  } catch (error) {
    // The person cancelled, or another ceremony began: only a click gets a message.
    if (useBrowserAutofill) return;
    const status = form.querySelector('[data-passkey-status]');
    // The device names no reason before its person has agreed, but this one.
    const hasOne = (error as Error).name === 'InvalidStateError';
    if (status) status.textContent = hasOne ? HAS_ONE : NONE_USED;
  }
}

if (browserSupportsWebAuthn()) {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-passkey]')) {
    void offer(button);
  }
}
