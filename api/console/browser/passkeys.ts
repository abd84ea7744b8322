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
  } catch {
    // The person cancelled, or another ceremony began: only a click gets a message.
    if (useBrowserAutofill) return;
    const status = form.querySelector('[data-passkey-status]');
    if (status) status.textContent = 'No passkey was used. Try again, or go on without one.';
  }
}

if (browserSupportsWebAuthn()) {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-passkey]')) {
    void offer(button);
  }
}
