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
 * A button with `data-passkey` says what to ask the person's device for; the answer goes with the
 * form of the button, in the field beside it. Loaded by the pages that have one.
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
  // What a person fills in for a new one is checked before its device is asked.
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
    // Without the checks of the form: a password is not needed then.
    form.submit();
  } catch {
    // Its person has changed its mind, or another way was begun: only who clicked is told.
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
