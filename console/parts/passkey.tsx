interface PasskeyButtonProps {
  /** What the device is asked for. */
  asked: object;
  label: string;
  /** To make one, and not to use one. */
  isNew?: boolean;
  /** Offered too where a name is typed. */
  autofill?: boolean;
  /** The field that the answer is in. */
  name?: string;
}

/**
 * The button of a form that is sent with the answer of a passkey, and the field for that. A script
 * shows it (browser/passkeys.ts): its page `uses` that.
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
