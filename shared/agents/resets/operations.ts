import { applyPasswordResets } from './apply_password_resets.ts';
import { resetPassword } from './reset_password.ts';
import { stopPasswordReset } from './stop_password_reset.ts';

/** How an owner that has lost its password gets another, as it calls them. */
export const PASSWORD_RESETS = [resetPassword, stopPasswordReset];

/** Started by timers. */
export const RESET_TIMERS = [applyPasswordResets];
