import type { ComponentPropsWithRef } from 'react';

interface ButtonProps extends ComponentPropsWithRef<'button'> {
  look?: 'primary' | 'secondary' | 'quiet';
  /** Shows that work is under way. The button stays focusable, and what it does must bear a second press. */
  busy?: boolean;
}

export function Button({ look = 'secondary', busy = false, className, ...button }: ButtonProps) {
  return (
    <button
      type="button"
      {...button}
      className={`button button-${look} ${className ?? ''}`}
      aria-disabled={busy || button['aria-disabled'] || undefined}
      data-busy={busy ? '' : undefined}
    />
  );
}
