interface PasskeyButtonProps {
  /** Options for the device. */
  asked: object;
  label: string;
  /** True: it makes a passkey. */
  isNew?: boolean;
  /** Offered in the autofill of the name too. */
  autofill?: boolean;
  /** The field for the answer. */
  name?: string;
}

/**
 * A button that sends its form with the answer of a passkey, and the field for that answer. A
 * script shows it (browser/passkeys.ts), which its page lists in `uses`.
 */
export const PasskeyButton = ({
  asked,
  label,
  isNew,
  autofill,
  name = '_passkey',
}: PasskeyButtonProps) => (
  <>
    <input type="hidden" name={name} value="" data-passkey-answer="" />
    <button
      type="button"
      class="button"
      hidden
      data-passkey={JSON.stringify(asked)}
      {...(isNew && { 'data-new': '' })}
      {...(autofill && { 'data-autofill': '' })}
    >
      {label}
    </button>
    <span role="status" class="small" data-passkey-status="" />
  </>
);
